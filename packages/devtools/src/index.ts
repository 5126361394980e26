export { createDevtools } from './createDevtools.ts'
export { explanations } from './explain/explanations.ts'
export { registerDock } from './panelEndpoint.ts'
