import { lookup as lookUpHost } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

// A static import of `node:http` reads all of its exports, and reading `WebSocket` loads fetch.
const { request: requestHttp } = process.getBuiltinModule('node:http')

/** A source of images, which contains all URLs that start with a prefix. */
export type RemoteSource = {
  /** Prefix that ends with a slash, such as `https://cdn.example.com/uploads/`. */
  readonly url: string
  /** True if the host may have a private address, for example a file store in the same network. */
  readonly isPrivate?: boolean
}

export type FetchLimits = { readonly maxBytes: number; readonly withinMs: number }

/**
 * The reason why an image can't be served. `status` is the status of the response. The message is
 * written to the journal.
 */
export class RemoteImageError extends Error {
  override readonly name = 'RemoteImageError'
  readonly status: 404 | 502 | 503 | 504
  constructor(status: RemoteImageError['status'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/**
 * Thrown if decoding an image takes too long. Don't try the image again, because the next attempt
 * would also take too long.
 */
export class DecodingTimeoutError extends RemoteImageError {
  /** @param problem start of the error message, such as "The image can't be decoded" */
  constructor(withinMs: number, problem: string) {
    super(504, `${problem}: it took more than ${withinMs} ms`)
  }
}

const maxRedirects = 3

/**
 * Resolves the URL of an image, or of a redirect, within a source.
 * @param path path or complete URL, as the app wrote it. A path is relative to the source. Both may
 * have a query.
 * @returns the URL; `null` if it is outside the source
 */
export function resolveInSource({ url: prefix }: RemoteSource, path: string): URL | null {
  const base = new URL(prefix)
  if (!URL.canParse(path, prefix)) return null
  const url = new URL(path, base)
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') return null
  // Refuse characters that a server may read as a slash or a dot, because such characters could
  // lead out of the prefix. Node 20 leaves some dot segments unresolved.
  if (/%(?:2f|5c|2e|00)|\/\.\.?(?:\/|$)/i.test(url.pathname)) return null
  if (!url.pathname.startsWith(base.pathname)) return null
  url.hash = ''
  return url
}

/**
 * Fetches an image. The request doesn't contain any headers from the visitor's request.
 * @throws RemoteImageError
 */
export async function fetchImage(
  source: RemoteSource,
  path: string,
  { maxBytes, withinMs }: FetchLimits,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(withinMs)
  try {
    let url = resolveInSource(source, path)
    for (let hops = 0; url !== null && hops <= maxRedirects; hops++) {
      const response = await send(url, { isPrivate: source.isPrivate, signal })
      const { statusCode: status = 0, headers } = response
      if (status === 200) return await readBody(response, maxBytes, url)
      response.destroy()
      if (status === 404 || status === 410) throw new RemoteImageError(404, `${url} is ${status}`)
      if (status < 300 || status > 399 || headers.location === undefined) {
        throw new RemoteImageError(502, `${url} responded with ${status}`)
      }
      const next = resolveInSource(source, new URL(headers.location, url).href)
      if (next === null)
        throw new RemoteImageError(502, `${url} redirects to a URL outside ${source.url}`)
      url = next
    }
    throw new RemoteImageError(502, `${path} has more than ${maxRedirects} redirects`)
  } catch (error) {
    if (error instanceof RemoteImageError) throw error
    if (signal.aborted) throw new RemoteImageError(504, `${path} took more than ${withinMs} ms`)
    const why = error instanceof Error ? error.message : String(error)
    throw new RemoteImageError(502, `${path} of ${source.url} can't be fetched: ${why}`)
  }
}

export type PublicFetchOptions = Pick<FetchLimits, 'maxBytes'> & {
  /** URL prefixes of images whose hosts may have private addresses. */
  readonly privateSources: readonly string[]
  /** Decodes a picture that a visitor may have chosen, and returns a WebP that is safe to draw. */
  readonly decode: (content: Buffer) => Promise<Uint8Array>
}

/**
 * Creates a `fetch` for images whose URLs visitors may have chosen. It sends GET requests without
 * credentials, and refuses to connect to private networks.
 */
export function createPublicFetch({ privateSources, decode, maxBytes }: PublicFetchOptions) {
  return async (input: string, init?: { readonly signal?: AbortSignal | null }) => {
    const { signal } = init ?? {}
    let url = new URL(input)
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const isPrivate = privateSources.some((prefix) => resolveInSource({ url: prefix }, url.href))
      const response = await send(url, { isPrivate, signal })
      const { statusCode: status = 500, headers } = response
      if (status < 300 || status > 399 || headers.location === undefined) {
        if (status === 200) return drawable(response, { url, maxBytes, decode })
        response.destroy()
        return new Response(null, { status })
      }
      response.destroy()
      url = new URL(headers.location, url)
    }
    throw new RemoteImageError(502, `${input} has more than ${maxRedirects} redirects`)
  }
}

// Matches the emoji pictures that `ImageResponse` requests. These pictures may be SVG files,
// because only the publishers of the emoji sets control these URLs.
const emojiSource =
  /^https:\/\/cdn\.jsdelivr\.net\/(?:gh\/(?:jdecked\/twemoji@\d+\.[\d.]+|googlefonts\/noto-emoji@v\d+\.[\d.]+|shuding\/fluentui-emoji-unicode)|npm\/@svgmoji\/(?:blob|openmoji)@\d+\.[\d.]+)\/[\w/-]+\.svg$/

type Drawing = Pick<PublicFetchOptions, 'maxBytes' | 'decode'> & { readonly url: URL }

async function drawable(
  response: IncomingMessage,
  { url, maxBytes, decode }: Drawing,
): Promise<Response> {
  const content = await readContent(response, maxBytes, url)
  if (emojiSource.test(url.href)) return new Response(content)
  if (!isSupportedFormat(content)) throw refusal(response, url, noImage)
  return new Response(new Uint8Array(await decode(content)))
}

type Sending = {
  readonly isPrivate: boolean | undefined
  readonly signal: AbortSignal | null | undefined
}

function send(url: URL, { isPrivate = false, signal }: Sending): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Check a host that is an IP address before connecting, because an IP address isn't looked up.
  if (isIP(host) && !isPrivate) refusePrivate(host, host)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const headers = { accept: 'image/webp,image/png,image/jpeg', 'accept-encoding': 'identity' }
  return new Promise((resolve, reject) => {
    // Pass our own `lookup`, so that the request connects to exactly the address that was checked.
    const options = { headers, lookup: pinnedLookup(isPrivate), agent: false, auth: '' }
    request(url, signal ? { ...options, signal } : options, resolve)
      .on('error', reject)
      .end()
  })
}

function pinnedLookup(isPrivate: boolean): LookupFunction {
  return (host, options, callback) => {
    lookUpHost(host, { all: true }).then(
      (addresses) => {
        try {
          if (!isPrivate) for (const { address } of addresses) refusePrivate(address, host)
        } catch (error) {
          return callback(error as Error, '', 0)
        }
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else callback(null, first?.address ?? '', first?.family ?? 4)
      },
      (error) => callback(error, '', 0),
    )
  }
}

function refusePrivate(address: string, host: string): void {
  if (!isPrivateAddress(address)) return
  throw new RemoteImageError(
    502,
    `${host} has the address ${address}, which belongs to a private network`,
  )
}

// Private networks of RFC 6890. IPv6 ranges are added after the IPv4 networks.
const privateNetworks = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address = '', bits] = network.split('/')
  privateNetworks.addSubnet(address, Number(bits), 'ipv4')
}
// In IPv6, only 2000::/3 is public, except for the ranges that embed IPv4 addresses or are reserved
// for documentation.
const publicNetworks = new BlockList()
publicNetworks.addSubnet('2000::', 3, 'ipv6')
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  privateNetworks.addSubnet(address, bits, 'ipv6')
}

export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) return privateNetworks.check(address, 'ipv4')
  return !publicNetworks.check(address, 'ipv6') || privateNetworks.check(address, 'ipv6')
}

async function readBody(response: IncomingMessage, maxBytes: number, url: URL): Promise<Buffer> {
  const { headers } = response
  // Refuse a response that is meant for one visitor, because resized images are cached for
  // everybody.
  if (/\b(?:private|no-store)\b/i.test(headers['cache-control'] ?? ''))
    throw refusal(response, url, `has cache-control: ${headers['cache-control']}`)
  if (/\b(?:cookie|authorization)\b|\*/i.test(headers.vary ?? ''))
    throw refusal(response, url, `has vary: ${headers.vary}`)
  const content = await readContent(response, maxBytes, url)
  if (!isSupportedFormat(content)) throw refusal(response, url, noImage)
  return content
}

async function readContent(
  response: IncomingMessage,
  maxBytes: number,
  url: URL,
): Promise<Buffer<ArrayBuffer>> {
  const { headers } = response
  const refuse = (why: string) => refusal(response, url, why)
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw refuse(`has over ${maxBytes} bytes`)
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
    throw refuse("is compressed, although the request didn't allow it")
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) throw refuse(`has over ${maxBytes} bytes`)
    // Merge small chunks now and then, because even a chunk of one byte has some overhead.
    if (pieces.push(piece) > 1_000) pieces.splice(0, pieces.length, Buffer.concat(pieces))
  }
  if (!response.complete) throw refuse('was truncated')
  return Buffer.concat(pieces)
}

export const noImage = 'is not a JPEG, PNG or WebP'

function refusal(response: IncomingMessage, url: URL, why: string): RemoteImageError {
  response.destroy()
  return new RemoteImageError(502, `${url} ${why}`)
}

/**
 * True if the first bytes belong to a supported format. The content type from the server is
 * ignored.
 */
export function isSupportedFormat(content: Buffer): boolean {
  const start = content.toString('latin1', 0, 12)
  return (
    start.startsWith('\xff\xd8\xff') ||
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    (start.startsWith('RIFF') && start.endsWith('WEBP'))
  )
}
