/** What is loaded once a page can be used, as one part: the router and the built-in screens. */
export { ClientErrorScreen } from './ClientErrorScreen.tsx'
export { createRouter } from './createRouter.ts'
export { retryImport } from './importAgain.ts'
export { loadShownPage } from './loadShownPage.ts'
