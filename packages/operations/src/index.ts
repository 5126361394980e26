export { createObserving } from './observing.ts'
export { startWorkers } from './startWorkers.ts'
export { joinWorker } from './workers.ts'
