export type { WaymarkOptions } from './vite/options.ts'
export { waymark } from './vite/plugin.ts'
