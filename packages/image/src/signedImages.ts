import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ImageLoader } from './imageSource.ts'
import {
  DecodingTimeoutError,
  fetchImage,
  RemoteImageError,
  type RemoteSource,
  resolveInSource,
} from './remoteSource.ts'

export type RemoteImagesOptions<Name extends string> = {
  /** Path of the route that exports `GET`, such as `/img`. */
  readonly path: string
  /** Sources of images, keyed by names that consist of letters, digits and `-`. */
  readonly sources: Readonly<Record<Name, string | RemoteSource>>
  /** Largest size of an original image in bytes. Default: 10 MB. */
  readonly maxBytes?: number
  /** Largest number of pixels in an original image. Default: 40 million. */
  readonly maxPixels?: number
}

export type RemoteImages<Name extends string> = {
  /** Returns a loader for `<Image>`. `src` is the image's path below the source's URL. */
  loader(source: Name): ImageLoader
  /** Handles requests for images. Export it from a file `route.ts` in a folder `[...image]`. */
  GET(
    request: Request,
    context: { readonly params: Promise<{ readonly image: readonly string[] }> },
  ): Promise<Response>
}

export const mostBytes = 10 * 2 ** 20
export const mostPixels = 40e6
/** Milliseconds after which each step fails: fetching, waiting in the queue, and decoding. */
export const withinMs = 7_000
const maxRunning = 4
const maxWaiting = 64
const maxFailures = 10_000
const failureMs = 60_000
/**
 * Milliseconds for which an image that took too long isn't tried again in any width, because each
 * attempt delays all other images in the queue.
 */
const timeoutMs = 10 * 60_000
export const daySeconds = 24 * 60 * 60

export type RemoteImagesContext = {
  resize(job: { content: Uint8Array; width: number; maxPixels: number }): Promise<Uint8Array>
  /** The app's secrets, newest first. */
  secrets(): readonly string[]
  /** Reads a value from a cache, which runs at most one computation per key at a time. */
  read(key: string, compute: () => Promise<Uint8Array>): Promise<Uint8Array>
  report(error: Error): void
  readonly now?: () => number
  readonly withinMs?: number
}

/** Creates `remoteImages()`. `context` contains the parts of the server that remote images need. */
export function createRemoteImages<Name extends string>(
  { path, sources, maxBytes = mostBytes, maxPixels = mostPixels }: RemoteImagesOptions<Name>,
  context: RemoteImagesContext,
): RemoteImages<Name> {
  const { read, report, now = Date.now } = context
  const sourcesByName = readSources(sources)
  const failures = new Map<string, Failure>()
  const enter = createQueue(context.withinMs ?? withinMs)

  function findFailure(key: string): RemoteImageError | null {
    const failure = failures.get(key)
    return failure && failure.untilMs > now() ? failure.error : null
  }

  function remember(key: string, error: RemoteImageError, ms: number): void {
    // Delete the key before setting it, so that the key moves to the end and the map stays sorted
    // by time.
    failures.delete(key)
    failures.set(key, { error, untilMs: now() + ms })
    const [oldest] = failures.keys()
    if (failures.size > maxFailures && oldest !== undefined) failures.delete(oldest)
  }

  async function compute(source: RemoteSource, path: string, width: number): Promise<Uint8Array> {
    const image = `${source.url} ${path}`
    const leave = await enter()
    try {
      const timeout = findFailure(image)
      if (timeout) throw timeout
      const limits = { maxBytes, withinMs: context.withinMs ?? withinMs }
      const content = await fetchImage(source, path, limits)
      return await context.resize({ content, width, maxPixels })
    } catch (error) {
      if (error instanceof DecodingTimeoutError && findFailure(image) !== error) {
        remember(image, error, timeoutMs)
        report(error)
      }
      throw error
    } finally {
      leave()
    }
  }

  async function respond(signed: SignedImage): Promise<Response> {
    const source = sourcesByName.get(signed.source)
    if (!source || resolveInSource(source, signed.path) === null) return failed(404)
    const key = `image ${source.url} ${signed.width} ${signed.path}`
    const failure = findFailure(key)
    if (failure) return failed(failure.status)
    try {
      const content = await read(key, () => compute(source, signed.path, signed.width))
      return new Response(new Uint8Array(content), { headers: imageHeaders })
    } catch (thrown) {
      const error = asRemoteImageError(thrown)
      // Don't remember a full queue as the image's failure, because the queue is only full
      // temporarily.
      if (error.status === 503) return failed(503)
      remember(key, error, failureMs)
      // Don't report timeouts, because `compute()` has already reported them.
      if (!(error instanceof DecodingTimeoutError)) report(error)
      return failed(error.status)
    }
  }

  return {
    loader(source) {
      return ({ src, width }) => {
        const [secret = ''] = context.secrets()
        const signature = sign({ source, path: src, width }, secret)
        // Encode the path, because browsers and servers would resolve dot segments.
        const path64 = Buffer.from(src).toString('base64url')
        return `${path}/${signature}/${width}/${source}/${path64}`
      }
    },
    async GET(_request, { params }) {
      const { image } = await params
      const signed = verify(image, context.secrets())
      return signed ? respond(signed) : failed(404)
    },
  }
}

type Failure = { readonly error: RemoteImageError; readonly untilMs: number }

function asRemoteImageError(thrown: unknown): RemoteImageError {
  if (thrown instanceof RemoteImageError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new RemoteImageError(502, message, { cause: thrown })
}

type SignedImage = { readonly source: string; readonly path: string; readonly width: number }

function sign({ source, path, width }: SignedImage, secret: string): string {
  const text = JSON.stringify([source, width, path])
  return createHmac('sha256', `image ${secret}`)
    .update(text)
    .digest()
    .subarray(0, 16)
    .toString('base64url')
}

/** @returns the image in a signed URL; `null` if the signature doesn't match any secret */
function verify(segments: readonly string[], secrets: readonly string[]): SignedImage | null {
  const [signature = '', width = '', source = '', path64 = '', ...others] = segments
  if (others.length > 0 || path64.length > 4_000 || !/^[1-9]\d{0,4}$/.test(width)) return null
  const signed = { source, width: Number(width), path: Buffer.from(path64, 'base64url').toString() }
  // Accept only the canonical encoding, because other encodings decode to the same path.
  if (Buffer.from(signed.path).toString('base64url') !== path64) return null
  const signatureBytes = Buffer.from(signature)
  const isSigned = secrets.some((secret) => {
    const expected = Buffer.from(sign(signed, secret))
    return expected.length === signatureBytes.length && timingSafeEqual(expected, signatureBytes)
  })
  return isSigned ? signed : null
}

function readSources(sources: Readonly<Record<string, string | RemoteSource>>) {
  const sourcesByName = new Map<string, RemoteSource>()
  for (const [name, urlOrSource] of Object.entries<string | RemoteSource>(sources)) {
    const source = typeof urlOrSource === 'string' ? { url: urlOrSource } : urlOrSource
    const isUsable = URL.canParse(source.url) && /^https?:\/\/[^?#]*\/$/.test(source.url)
    if (!isUsable || !/^[\w-]+$/.test(name)) {
      throw new Error(
        `The image source ${name} has the URL ${source.url}. Use a name of letters, digits and -, and a URL that ends with a slash, such as https://cdn.example.com/uploads/`,
      )
    }
    sourcesByName.set(name, { ...source, url: new URL(source.url).href })
  }
  return sourcesByName
}

/**
 * Creates a queue that lets only a few tasks run at the same time.
 * @returns a function that waits for a place, and then returns a function that releases the place
 */
export function createQueue(withinMs: number) {
  const waiting = new Set<() => void>()
  let running = 0
  const leave = () => {
    const [next] = waiting
    if (next) next()
    else running--
  }
  return async () => {
    if (running < maxRunning) {
      running++
      return leave
    }
    if (waiting.size >= maxWaiting) throw busy(`${maxWaiting} images are waiting already`)
    // Wait until a running task ends and passes on its place.
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        waiting.delete(enter)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(enter)
        reject(busy(`it waited in the queue for ${withinMs} ms`))
      }, withinMs)
      waiting.add(enter)
    })
    return leave
  }
}

const busy = (why: string) => new RemoteImageError(503, `The image was not resized: ${why}.`)

// The content comes from a third party. The sandbox and `nosniff` make sure that browsers treat it
// only as an image.
const imageHeaders = {
  'content-type': 'image/webp',
  'cache-control': `public, max-age=${daySeconds}, stale-while-revalidate=${7 * daySeconds}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

const texts: Readonly<Record<number, string>> = {
  404: 'Not Found',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

function failed(status: number): Response {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': status === 503 ? 'no-store' : `public, max-age=${failureMs / 1_000}`,
    ...(status === 503 && { 'retry-after': '5' }),
  }
  return new Response(`${status} ${texts[status]}\n`, { status, headers })
}
