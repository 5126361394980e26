export {
  type Bucket,
  type BucketEnv,
  createBucket,
  type ObjectHeaders,
  type SignedUpload,
  type UploadOptions,
} from './bucket.ts'
