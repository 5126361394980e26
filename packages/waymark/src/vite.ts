export type { WaymarkOptions } from './vite/options.ts'
export { waymark } from './vite/plugin.ts'
export type { CspOptions, SecurityOptions } from './vite/securityOptions.ts'
