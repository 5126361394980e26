export { bucketTarget } from './bucketTarget.ts'
