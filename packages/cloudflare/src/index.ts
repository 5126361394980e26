export { workerd } from './writeWorker.ts'
