import { createHash, createHmac } from 'node:crypto'

/** Who sends requests to an S3-compatible store. */
export type S3Credentials = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of credentials that end by themselves. */
  readonly sessionToken?: string | undefined
  readonly region: string
}

/** A request without a query. */
type UnsignedRequest = {
  readonly method: 'GET' | 'HEAD' | 'PUT'
  /** Its path is encoded as `encodeKey` does it. */
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * Signs a request.
 * @returns its headers; `host` is left to whoever sends it
 * @see AWS Signature Version 4, for Amazon S3: the authorization header, a payload in one chunk
 */
export function signRequest(
  { method, url, headers, body }: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken, region }: S3Credentials,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const date = time.slice(0, 8)
  const payloadHash = sha256(body)
  const own = {
    ...headers,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': time,
    ...(sessionToken ? { 'x-amz-security-token': sessionToken } : {}),
  }
  const signed = Object.entries({ ...own, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}\n`)
  const canonical = [method, url.pathname, '', lines.join(''), names, payloadHash].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part).digest(),
    `AWS4${secretAccessKey}`,
  )
  const signature = hmac(key, text).digest('hex')
  const credential = `Credential=${accessKeyId}/${scope}`
  const authorization = `AWS4-HMAC-SHA256 ${credential},SignedHeaders=${names},Signature=${signature}`
  return { ...own, authorization }
}

/** Encodes the key of an object for a path: all but the unreserved characters, and slashes. */
export function encodeKey(key: string): string {
  const encodeRest = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return key
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, encodeRest))
    .join('/')
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data)
