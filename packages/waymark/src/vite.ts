export type { WaymarkOptions } from './vite/config/pluginOptions.ts'
export type { CspOptions, SecurityOptions } from './vite/config/securityOptions.ts'
export { waymark } from './vite/plugin.ts'
