export {
  type CloudflareBindings,
  type CloudflareWorker,
  type CloudflareWorkerOptions,
  createCloudflareWorker,
} from './cloudflareWorker.ts'
export { createKvCache, type KvCacheOptions, type KvNamespace } from './kvCacheDriver.ts'
export { type CallState, createStateClient, type ObjectNamespace } from './stateClient.ts'
export { createStateJournal, type StateJournalOptions } from './stateJournal.ts'
export { type ObjectContext, WaymarkState } from './stateObject.ts'
export {
  createWorker,
  type ExecutionContext,
  type FileBindings,
  type FileService,
  type Worker,
  type WorkerOptions,
} from './workerdWorker.ts'
