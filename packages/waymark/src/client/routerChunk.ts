/** What is loaded once a page can be used, as one part: the router and the built-in screens. */

export { loadNamedModules } from './assets/namedModules.ts'
export { retryImport, retryReference } from './assets/retryImport.ts'
export { createRouter } from './createRouter.ts'
export { ClientErrorScreen, ClientStatusScreen } from './errors/ClientErrorScreen.tsx'
export { loadShownPage } from './recoverDocument.ts'
