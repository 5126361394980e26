export { createDevtools } from './createDevtools.ts'
export { registerDock } from './panelEndpoint.ts'
