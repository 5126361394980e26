export {
  type CloudflareBindings,
  type CloudflareWorkerOptions,
  createCloudflareWorker,
} from './cloudflareWorker.ts'
export {
  createWorker,
  type ExecutionContext,
  type FileBindings,
  type FileService,
  type Worker,
  type WorkerOptions,
} from './workerdWorker.ts'
