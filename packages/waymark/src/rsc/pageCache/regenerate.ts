import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import {
  cachedPageHeaders,
  hasCustomCaching,
  privateNoStore,
  withoutCaching,
} from '../../builds/cacheControl.ts'
import type { PageCacheLife, PrerenderedResponse, PrerenderedUrl } from '../../builds/cachedPage.ts'
import type { Computed } from '../../cache/cacheEntry.ts'
import {
  type BodyVariant,
  type CachedResponse,
  type HandlerResponse,
  headerOf,
} from '../../http/response.ts'
import type { ReportError } from '../../journal/reportError.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import { navigationFromHeader } from '../../wire/protocol.ts'
import { tagsOfPage } from '../request/pathTags.ts'
import { encodePage, perRequestValue } from './codec.ts'

export type RegeneratedPage = {
  /** The computed entry. Other requests share it only if it is cached. */
  readonly computed: Computed
  /** If nothing is cached: the response, for the request that started the rendering. */
  readonly uncached: {
    readonly document: HandlerResponse
    readonly data: HandlerResponse | null
  } | null
  /** True if the page read data from its request. */
  readonly isPerRequest: boolean
}

export type RegenerateOptions = {
  readonly render: (pathname: string) => Promise<PrerenderedUrl>
  readonly report: ReportError
}

export type RegenerateUrl = {
  readonly pathname: string
  readonly pattern: string
  /** True if an older rendering is cached and still sent to clients. */
  readonly wasCached: boolean
}

// Render cached pages outside of requests. The app's `AsyncLocalStorage` may contain a request's
// user, but everybody gets the page.
const outsideOfRequests = AsyncLocalStorage.snapshot()

// Maximum milliseconds for rendering a page, the same as in a build.
const timeoutMs = 60_000

// Seconds for which a page stays uncached after it was dynamic or missing.
const perRequestSeconds = 60
const perRequestLife = { tags: [], revalidateSeconds: perRequestSeconds, expireSeconds: null }

/** Renders a page again. Errors, fallback screens and dynamic pages are not cached. @throws the page's error */
export async function regeneratePage(
  { pathname, pattern, wasCached }: RegenerateUrl,
  { render, report }: RegenerateOptions,
): Promise<RegeneratedPage> {
  const rendered = await withDeadline(outsideOfRequests(render, pathname), timeoutMs)
  if (rendered === timedOut) {
    throw new Error(`${pathname} was not rendered within ${timeoutMs / 1000} s.`)
  }
  const compute = (value: Uint8Array, life: PageCacheLife): Computed => {
    const tags = [...life.tags, ...tagsOfPage(pathname, pattern)]
    return { ...life, value, tags, isShared: true }
  }
  const tell = (thrown: unknown) =>
    report(thrown, { phase: 'prerender', pathname, match: { pattern } })
  // Creates an entry without a page, which replaces an earlier cached page.
  const nothing = () => ({ ...compute(perRequestValue, perRequestLife), isShared: wasCached })
  switch (rendered.kind) {
    case 'failed':
      // Report the error if clients still get an older page. Otherwise the request renders the page
      // itself and reports the error.
      if (wasCached) tell(rendered.thrown)
      throw rendered.thrown
    case 'dynamic':
      return { computed: nothing(), uncached: null, isPerRequest: true }
    case 'partial':
      for (const thrown of rendered.leftToBrowser) tell(thrown)
      return {
        computed: compute(rendered.shell, rendered.life),
        uncached: null,
        isPerRequest: false,
      }
    case 'response': {
      const { document, data, life, leftToBrowser } = rendered
      for (const thrown of leftToBrowser) tell(thrown)
      if (document.status < 400 && (data === null || data.status < 400)) {
        const computed = compute(await encodeRendered(rendered), life)
        return { computed, uncached: null, isPerRequest: false }
      }
      const uncached = { document: forOne(document), data: data && forOne(data) }
      return { computed: nothing(), uncached, isPerRequest: false }
    }
  }
}

function forOne({ headers, ...response }: PrerenderedResponse): HandlerResponse {
  return { ...response, headers: [...withoutCaching(headers), ...privateNoStore] }
}

async function encodeRendered(
  rendered: Extract<PrerenderedUrl, { kind: 'response' }>,
): Promise<Uint8Array> {
  const { document, data, life, isIntercepted } = rendered
  const dataForHandler = isIntercepted ? [navigationFromHeader] : []
  return encodePage({
    document: await toCached(document, life, []),
    data: data && (await toCached(data, life, dataForHandler)),
  })
}

async function toCached(
  { status, headers, body }: PrerenderedResponse,
  life: PageCacheLife,
  handlerOnHeaders: readonly string[],
): Promise<CachedResponse> {
  const type = headerOf(headers, 'content-type') ?? ''
  const isText = /^text\/|[/+](?:json|xml)(?:;|$)/.test(type)
  const isEncoded = headerOf(headers, 'content-encoding') !== null
  const bodies = await bodyVariants(body, isText && !isEncoded)
  const cached = cachedPageHeaders(status, headers, life)
  return {
    status,
    headers: cached,
    bodies,
    handlerOnHeaders,
    hasCustomCaching: hasCustomCaching(headers),
  }
}

// Bodies below this size aren't compressed, because the headers would outweigh the gain.
const minBytes = 1024
const maxRatio = 0.95

// A visitor may be waiting, so use level 5. Level 10 would take a hundred times as long and save
// only 10% more.
const brotliQuality = 5
const gzipLevel = 6

/** Compresses a body once, when the page is cached. */
async function bodyVariants(
  body: Uint8Array,
  isCompressible: boolean,
): Promise<[BodyVariant, ...BodyVariant[]]> {
  const identity = bodyVariant('identity', body)
  if (!isCompressible || body.byteLength < minBytes) return [identity]
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    }),
    promisify(gzip)(body, { level: gzipLevel }),
  ])
  const isSmaller = ({ bytes }: BodyVariant) => bytes.byteLength < body.byteLength * maxRatio
  return [identity, ...[bodyVariant('br', br), bodyVariant('gzip', gz)].filter(isSmaller)]
}

function bodyVariant(encoding: BodyVariant['encoding'], bytes: Uint8Array): BodyVariant {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { encoding, etag, bytes }
}
