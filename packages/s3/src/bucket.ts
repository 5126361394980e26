import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { FrameworkError } from 'waymark/drivers'

/** Environment variables, with the names that Amazon's own tools read. */
export type BucketEnv = {
  readonly AWS_ACCESS_KEY_ID?: string | undefined
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined
  /** Session token for temporary credentials. */
  readonly AWS_SESSION_TOKEN?: string | undefined
  /** Region of the bucket. Default: `us-east-1`. */
  readonly AWS_REGION?: string | undefined
  /** URL of a store other than Amazon's, without the bucket's name: `https://s3.example.com`. */
  readonly AWS_ENDPOINT_URL_S3?: string | undefined
  readonly AWS_ENDPOINT_URL?: string | undefined
}

/** Headers that are stored with an object and sent with every download. */
export type ObjectHeaders = { readonly contentType: string; readonly cacheControl?: string }

/**
 * Signed URL for one upload. The browser sends the file with `PUT`, with exactly the headers in
 * `headers`.
 */
export type SignedUpload = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The one upload to allow. The store refuses a different type or number of bytes. */
export type UploadOptions = {
  readonly contentType: string
  readonly bytes: number
  /** Seconds for which the URL is valid. Default: 600. */
  readonly expiresSeconds?: number
}

/**
 * A bucket, or a folder in a bucket. Keys may contain any characters, but no segment may be `.` or
 * `..`. All functions reject with a message that people can read.
 */
export type Bucket = {
  /** @returns the object's size in bytes; `null` if it doesn't exist or may not be read */
  readonly size: (key: string) => Promise<number | null>
  readonly put: (key: string, body: Uint8Array, headers: ObjectHeaders) => Promise<void>
  /** Deletes an object. Does nothing if the object doesn't exist. */
  readonly delete: (key: string) => Promise<void>
  /**
   * Returns a URL from which a browser can download an object directly from the store.
   * @param expiresSeconds seconds for which the URL is valid. Default: 600.
   */
  readonly signDownload: (key: string, expiresSeconds?: number) => Promise<string>
  /** Returns a URL to which a browser can upload one object directly to the store. */
  readonly signUpload: (key: string, options: UploadOptions) => Promise<SignedUpload>
}

const requestWithinMs = 60_000
const attempts = 3

/**
 * Creates a client for an S3-compatible bucket.
 * @param url `s3://bucket`, or `s3://bucket/prefix` to put all keys below a prefix
 * @throws `S3_BUCKET` if a URL is invalid, `S3_CREDENTIALS` if an access key is missing
 *
 * @example
 * ```ts
 * const bucket = createBucket('s3://my-bucket/uploads')
 * await bucket.put('report.pdf', bytes, { contentType: 'application/pdf' })
 * ```
 */
export function createBucket(url: string, env: BucketEnv = process.env): Bucket {
  const { place, signing } = readOptions(url, env)
  const urlOf = (key: string) => `${place}/${pathOf(key)}`

  async function send(method: string, key: string, headers: HeadersInit, body?: Uint8Array) {
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const all = new Headers(headers)
    all.set('x-amz-content-sha256', hash)
    const request = { ...signing, url: urlOf(key), method, headers: all, allHeaders: true }
    const signed = await new AwsV4Signer(request).sign()
    const signal = AbortSignal.timeout(requestWithinMs)
    const init = { method, headers: signed.headers, signal, redirect: 'error' } as const
    return fetch(signed.url, body ? { ...init, body: new Uint8Array(body) } : init)
  }

  /**
   * Sends a request, up to three times. Repeating is safe, because all of this client's requests
   * have the same effect when they are repeated.
   */
  async function sendAgain(...request: Parameters<typeof send>): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const sent = await send(...request).catch((error: Error) => error)
      const isFault = sent instanceof Error || sent.status >= 500 || sent.status === 429
      if (isFault && attempt < attempts) continue
      if (!(sent instanceof Error)) return sent
      const reason = sent.cause instanceof Error ? sent.cause.message : sent.message
      throw new Error(`${urlOf(request[1])}: ${reason}`)
    }
  }

  async function sign(method: string, key: string, headers: Record<string, string>, seconds = 600) {
    const url = new URL(urlOf(key))
    url.searchParams.set('X-Amz-Expires', `${seconds}`)
    const options = { ...signing, method, headers, allHeaders: true, signQuery: true }
    return (await new AwsV4Signer({ ...options, url: url.href }).sign()).url.href
  }

  return {
    async size(key) {
      // Treat 403 as a missing object, because S3 responds with 403 for missing objects if the
      // credentials don't allow listing the bucket.
      const { ok, headers } = await sendAgain('HEAD', key, {})
      return ok ? Number(headers.get('content-length')) : null
    },
    async put(key, body, { contentType, cacheControl }) {
      const headers = { 'content-type': contentType }
      const all = cacheControl ? { ...headers, 'cache-control': cacheControl } : headers
      await expectOk(await sendAgain('PUT', key, all, body))
    },
    delete: async (key) => expectOk(await sendAgain('DELETE', key, {}), 404),
    signDownload: (key, expiresSeconds) => sign('GET', key, {}, expiresSeconds),
    async signUpload(key, { contentType, bytes, expiresSeconds }) {
      const headers = { 'content-type': contentType }
      // Sign the length, so that the store refuses a different size. Don't return this header,
      // because browsers set it themselves.
      const all = { ...headers, 'content-length': `${bytes}` }
      return { url: await sign('PUT', key, all, expiresSeconds), headers }
    },
  }
}

/**
 * Returns the path for a key. Refuses unsafe keys, because keys may come from a browser: `..` would
 * lead out of the prefix, and an empty key would stand for the whole bucket.
 */
function pathOf(key: string): string {
  const parts = key.split('/')
  if (key === '' || parts.includes('.') || parts.includes('..')) {
    throw new Error(
      `${JSON.stringify(key)} is not a valid key for an object. Use a key without segments . and ..`,
    )
  }
  return parts.map(encodeURIComponent).join('/')
}

/** @param alsoOk an additional status that counts as success */
async function expectOk(response: Response, alsoOk?: number): Promise<void> {
  const text = await response.text()
  if (response.ok || response.status === alsoOk) return
  const [, code = ''] = /<Code>(\w{1,60})<\/Code>/.exec(text) ?? []
  throw new Error(`the store responded with ${response.status} ${code}`.trimEnd())
}

function readOptions(url: string, env: BucketEnv) {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/.exec(url)
  if (!match) throw invalidPlace(url)
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey) {
    throw new FrameworkError(
      'S3_CREDENTIALS',
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must both be set. Use an access key that may read and write objects in the bucket.',
    )
  }
  const region = env.AWS_REGION || 'us-east-1'
  const configuredEndpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL
  const endpoint = configuredEndpoint || `https://s3.${region}.amazonaws.com`
  if (!/^https?:/.test(endpoint) || !URL.canParse(endpoint)) throw invalidPlace(endpoint)
  const [, bucket = '', prefix = ''] = match
  const folders = [
    endpoint.replace(/\/+$/, ''),
    bucket,
    ...prefix.split('/').map(encodeURIComponent),
  ]
  const { AWS_SESSION_TOKEN: sessionToken } = env
  const token = sessionToken ? { sessionToken } : {}
  const signing = { accessKeyId, secretAccessKey, ...token, region, service: 's3' }
  return { place: folders.filter(Boolean).join('/'), signing }
}

function invalidPlace(value: string): FrameworkError {
  return new FrameworkError(
    'S3_BUCKET',
    `${value} is not the URL of a bucket or a store. Write a bucket as s3://bucket/prefix. For a store other than Amazon's, set AWS_ENDPOINT_URL_S3 to its URL, such as https://s3.example.com.`,
  )
}
