import { readFile } from 'node:fs/promises'
import type { AssetTarget } from '@waymark/operations/assets'
import { type BucketEnv, createBucket } from './bucket.ts'

/**
 * Creates the target for `waymark assets push s3://bucket/prefix`.
 * @throws `S3_BUCKET`, `S3_CREDENTIALS`
 */
export function bucketTarget(url: string, env: BucketEnv): AssetTarget {
  const bucket = createBucket(url, env)
  return {
    // Don't upload compressed files, because buckets don't negotiate encodings. The CDN in front of
    // the bucket compresses files.
    takesCompressed: false,
    has: async (key, size) => (await bucket.size(key)) === size,
    put: async ({ key, file, ...headers }) => bucket.put(key, await readFile(file), headers),
  }
}
