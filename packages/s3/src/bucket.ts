import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { FrameworkError } from 'waymark/drivers'

/** Variables with the names that Amazon's own tools read. */
export type BucketEnv = {
  readonly AWS_ACCESS_KEY_ID?: string | undefined
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined
  /** Of temporary credentials. */
  readonly AWS_SESSION_TOKEN?: string | undefined
  /** Default: `us-east-1`. */
  readonly AWS_REGION?: string | undefined
  /** A store that is not Amazon's: `https://s3.example.com`, without the bucket. */
  readonly AWS_ENDPOINT_URL_S3?: string | undefined
  readonly AWS_ENDPOINT_URL?: string | undefined
}

/** Sent with an object, and given out with it again. */
export type ObjectHeaders = { readonly contentType: string; readonly cacheControl?: string }

/** What a browser may send once, by `PUT` to this URL with these headers. */
export type SignedUpload = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** An upload that is allowed: this many bytes of this type, and no others. */
export type UploadOptions = {
  readonly contentType: string
  readonly bytes: number
  /** Default: 600. */
  readonly expiresSeconds?: number
}

/**
 * Objects by their keys, which may hold any characters; `.` and `..` are no folders of theirs. All
 * functions reject with a message for people.
 */
export type Bucket = {
  /** @returns its size in bytes; `null` for a missing object, and for one that may not be read */
  readonly size: (key: string) => Promise<number | null>
  readonly put: (key: string, body: Uint8Array, headers: ObjectHeaders) => Promise<void>
  /** A missing object is no failure. */
  readonly delete: (key: string) => Promise<void>
  /** A URL from which a browser gets an object without passing this server. */
  readonly signDownload: (key: string, expiresSeconds?: number) => Promise<string>
  /** Lets a browser put one object without passing this server. */
  readonly signUpload: (key: string, options: UploadOptions) => Promise<SignedUpload>
}

const requestWithinMs = 60_000
const attempts = 3

/**
 * @param url `s3://bucket`, or `s3://bucket/prefix` for keys below a prefix
 * @throws `S3_BUCKET`, `S3_CREDENTIALS`
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

  /** Each of these requests may be repeated: it does the same again. */
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
      // S3 responds with 403 for a missing object to those who may not list them.
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
      // Signed, so that the store refuses another size; a browser writes this header by itself.
      const all = { ...headers, 'content-length': `${bytes}` }
      return { url: await sign('PUT', key, all, expiresSeconds), headers }
    },
  }
}

/** A key may come from a browser: `..` in a URL would lead out of the prefix, and no key to the bucket. */
function pathOf(key: string): string {
  const parts = key.split('/')
  if (key === '' || parts.includes('.') || parts.includes('..')) {
    throw new Error(`${JSON.stringify(key)} is no key of an object`)
  }
  return parts.map(encodeURIComponent).join('/')
}

/** @param alsoOk a status that is no failure either */
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
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set: set them in the environment, to a key that may read and write objects of the bucket.',
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
    `${value} is no bucket. Write s3://bucket/prefix; AWS_ENDPOINT_URL_S3 is the URL of a store that is not Amazon's, such as https://s3.example.com.`,
  )
}
