export { target } from './writeWorker.ts'
