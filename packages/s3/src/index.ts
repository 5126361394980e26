export { type Bucket, type BucketEnv, createBucket, type ObjectHeaders } from './bucket.ts'
