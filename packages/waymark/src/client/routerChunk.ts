/** What is loaded once a page can be used, as one part: the router and the built-in screens. */
export { ClientErrorScreen } from '../components/ClientErrorScreen.tsx'
export { retryImport } from './assets/importModule.ts'
export { createRouter } from './createRouter.ts'
export { loadShownPage } from './recoverDocument.ts'
