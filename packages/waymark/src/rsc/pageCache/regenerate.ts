import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Computed } from '../../cache/cacheEntry.ts'
import type { ReportError } from '../../journal/reportError.ts'
import {
  cachedPageHeaders,
  hasOwnCaching,
  privateNoStore,
  withoutCaching,
} from '../../shared/cacheControl.ts'
import type { PageCacheLife, PrerenderedResponse, PrerenderedUrl } from '../../shared/cachedPage.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import { navigationFromHeader } from '../../shared/protocol.ts'
import type { BodyVariant, CachedResponse, HandlerResponse } from '../../shared/response.ts'
import { encodePage, perRequestValue } from './codec.ts'
import { tagsOfPage } from './pathTags.ts'

/** What rendering a page for the cache came to. */
export type RegeneratedPage = {
  /** Not shared when nothing is to be cached. */
  readonly computed: Computed
  /** For the request that started it, where nothing is cached that it could get. */
  readonly own: { readonly document: HandlerResponse; readonly data: HandlerResponse | null } | null
  /** Whether it turned out to depend on its request. */
  readonly isPerRequest: boolean
}

export type RegenerateOptions = {
  readonly render: (pathname: string) => Promise<PrerenderedUrl>
  readonly report: ReportError
}

/** A page to be rendered for the cache. */
export type RegenerateUrl = {
  readonly pathname: string
  readonly pattern: string
  /** Whether an older rendering is still being served. */
  readonly wasCached: boolean
}

// As in the build.
const timeoutMs = 60_000

// How long a page that is gone, or depends on its request now, is rendered for each of them.
const perRequestSeconds = 60
const perRequestLife = { tags: [], revalidateSeconds: perRequestSeconds, expireSeconds: null }

/**
 * Renders a page for the cache. Errors, fallback screens and what depends on its request are never
 * cached.
 * @throws what the page threw
 */
export async function regeneratePage(
  { pathname, pattern, wasCached }: RegenerateUrl,
  { render, report }: RegenerateOptions,
): Promise<RegeneratedPage> {
  const rendered = await withDeadline(render(pathname), timeoutMs)
  if (rendered === timedOut) {
    throw new Error(`${pathname} was not rendered within ${timeoutMs / 1000} s.`)
  }
  const compute = (value: Uint8Array, life: PageCacheLife): Computed => {
    const tags = [...life.tags, ...tagsOfPage(pathname, pattern)]
    return { ...life, value, tags, isShared: true }
  }
  const tell = (thrown: unknown) =>
    report(thrown, { phase: 'prerender', pathname, match: { pattern } })
  // Ends what was cached of a page that has nothing to be cached any more.
  const nothing = () => ({ ...compute(perRequestValue, perRequestLife), isShared: wasCached })
  switch (rendered.kind) {
    case 'failed':
      // Of a page that nothing is cached of, the rendering for the request will tell.
      if (wasCached) tell(rendered.thrown)
      throw rendered.thrown
    case 'dynamic':
      return { computed: nothing(), own: null, isPerRequest: true }
    case 'partial':
      for (const thrown of rendered.leftToBrowser) tell(thrown)
      return { computed: compute(rendered.shell, rendered.life), own: null, isPerRequest: false }
    case 'response': {
      const { document, data, life, leftToBrowser } = rendered
      for (const thrown of leftToBrowser) tell(thrown)
      if (document.status < 400 && (data === null || data.status < 400)) {
        const computed = compute(await encodeRendered(rendered), life)
        return { computed, own: null, isPerRequest: false }
      }
      const own = { document: forOne(document), data: data && forOne(data) }
      return { computed: nothing(), own, isPerRequest: false }
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
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const isText = /^text\/|[/+](?:json|xml)(?:;|$)/.test(type)
  const isEncoded = headers.some(([name]) => name.toLowerCase() === 'content-encoding')
  const bodies = await bodyVariants(body, isText && !isEncoded)
  const cached = cachedPageHeaders(status, headers, life)
  return {
    status,
    headers: cached,
    bodies,
    handlerOnHeaders,
    hasOwnCaching: hasOwnCaching(headers),
  }
}

// Below this, the head of the response outweighs what is saved.
const minBytes = 1024
const maxRatio = 0.95

// Its tenth step takes a hundred times as long as its fifth, for a tenth less: a visitor may wait.
const brotliQuality = 5
const gzipLevel = 6

/** Creates the forms that a body is sent in: compressed once, when it is cached. */
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
