export { ServerInsertedHTMLContext } from './components/useServerInsertedHTML.ts'
export { registerSignalDigests } from './shared/signals.ts'
