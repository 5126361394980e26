export { ServerInsertedHTMLContext } from './components/useServerInsertedHTML.ts'
export { registerSignalDigests } from './shared/signals.ts'
export { pagePictures } from './shared/pagePictures.ts'
export { pictureAttribute, pictureStyle } from './theme/themeStyles.ts'
