export type { SpeedupsOptions } from './options.ts'
export { speedups } from './speedups.ts'
