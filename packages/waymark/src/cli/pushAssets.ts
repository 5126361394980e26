import { createHash, createHmac } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { contentTypeOf } from '../node/static/mediaTypes.ts'
import { copyWhole } from '../node/static/sharedAssets.ts'
import { fileCacheControl } from '../shared/cacheControl.ts'
import { frameworkError } from '../shared/errors.ts'
import { assetsPrefix } from '../shared/protocol.ts'

/** Destination of assets, which a file server or CDN serves. */
export type AssetTarget = {
  /** True for a file server; a CDN compresses files itself. */
  readonly takesCompressed: boolean
  /** A name contains a content hash, so that an equal size means an equal file. */
  has(name: string, size: number): Promise<boolean>
  put(name: string, path: string): Promise<void>
}

export type Counts = { readonly count: number; readonly bytes: number }

const concurrency = 8

/**
 * Copies missing assets and deletes none.
 * @param folder of the assets
 * @param isDry only counts
 */
export async function pushAssets(
  target: AssetTarget,
  { folder, names, isDry }: { folder: string; names: readonly string[]; isDry: boolean },
): Promise<{ readonly pushed: Counts; readonly present: Counts }> {
  const pushed = { count: 0, bytes: 0 }
  const present = { count: 0, bytes: 0 }
  const left = names.filter((name) => target.takesCompressed || !/\.(?:br|gz)$/.test(name))
  const work = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const path = join(folder, name)
      const { size } = await stat(path)
      const counts = (await target.has(name, size)) ? present : pushed
      if (counts === pushed && !isDry) await target.put(name, path)
      counts.count++
      counts.bytes += size
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return { pushed, present }
}

export function folderTarget(folder: string): AssetTarget {
  const pathOf = (name: string) => join(resolve(folder), assetsPrefix, name)
  return {
    takesCompressed: true,
    async has(name, size) {
      // A missing file.
      return (await stat(pathOf(name)).catch(() => null))?.size === size
    },
    async put(name, path) {
      const target = pathOf(name)
      try {
        copyWhole(path, target)
      } catch (error) {
        throw frameworkError('ASSETS_PUSH', { name, target, reason: (error as Error).message })
      }
    },
  }
}

export type Bucket = {
  /** `https://s3.example.com`, without the bucket. */
  readonly endpoint: string
  readonly bucket: string
  /** Prefix of the keys, without outer slashes; may be empty. */
  readonly prefix: string
  readonly credentials: S3Credentials
}

const requestWithinMs = 60_000
const attempts = 3

export function bucketTarget({ endpoint, bucket, prefix, credentials }: Bucket): AssetTarget {
  const urlOf = (name: string) => {
    const key = `${prefix && `${prefix}/`}${assetsPrefix.slice(1)}${name}`
    return new URL(`${endpoint.replace(/\/+$/, '')}/${encodeKey(`${bucket}/${key}`)}`)
  }

  async function send(method: 'HEAD' | 'PUT', name: string, body: Buffer): Promise<Response> {
    const url = urlOf(name)
    const own = { 'content-type': contentTypeOf(name) }
    const file = { ...own, 'cache-control': fileCacheControl(`${assetsPrefix}${name}`) }
    const headers = signRequest(
      { method, url, headers: method === 'PUT' ? file : {}, body },
      credentials,
      new Date(),
    )
    const signal = AbortSignal.timeout(requestWithinMs)
    const init = { method, headers, signal, redirect: 'error' } as const
    return fetch(url, method === 'PUT' ? { ...init, body: new Uint8Array(body) } : init)
  }

  /** Retries are safe, because the content of a name never changes. */
  async function sendAgain(method: 'HEAD' | 'PUT', name: string, body = Buffer.alloc(0)) {
    for (let attempt = 1; ; attempt++) {
      const sent = await send(method, name, body).catch((error: Error) => error)
      const isFault = sent instanceof Error || sent.status >= 500 || sent.status === 429
      if (isFault && attempt < attempts) continue
      if (!(sent instanceof Error)) return sent
      const reason = sent.cause instanceof Error ? sent.cause.message : sent.message
      throw frameworkError('ASSETS_PUSH', { name, target: urlOf(name).href, reason })
    }
  }

  return {
    takesCompressed: false,
    async has(name, size) {
      // S3 responds with 403 for a missing object without permission to list.
      const { ok, headers } = await sendAgain('HEAD', name)
      return ok && headers.get('content-length') === String(size)
    },
    async put(name, path) {
      const response = await sendAgain('PUT', name, await readFile(path))
      const text = await response.text()
      if (response.ok) return
      const [, code = ''] = /<Code>(\w{1,60})<\/Code>/.exec(text) ?? []
      const reason = `the store responded with ${response.status} ${code}`.trimEnd()
      throw frameworkError('ASSETS_PUSH', { name, target: urlOf(name).href, reason })
    },
  }
}

type S3Credentials = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined
  readonly region: string
}

type UnsignedRequest = {
  readonly method: 'GET' | 'HEAD' | 'PUT'
  /** Its path is encoded by `encodeKey`. */
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * @returns headers without `host`, which the sender adds
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

/** Encodes all characters except unreserved ones and slashes. */
export function encodeKey(key: string): string {
  const encodeRest = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return key
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, encodeRest))
    .join('/')
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data)
