export { type CloudflareOptions, cloudflare } from './writeBuildOutput.ts'
export { workerd } from './writeWorker.ts'
