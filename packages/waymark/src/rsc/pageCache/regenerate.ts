import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Computed } from '../../cache/cacheEntry.ts'
import type { ReportError } from '../../journal/reportError.ts'
import { cachedPageHeaders, hasOwnCaching, privateNoStore } from '../../shared/cacheControl.ts'
import type { PageCacheLife, PrerenderedResponse, PrerenderedUrl } from '../../shared/cachedPage.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import { navigationFromHeader } from '../../shared/protocol.ts'
import type { BodyVariant, CachedResponse, HandlerResponse } from '../../shared/response.ts'
import { encodePage, perRequestValue } from './codec.ts'
import { tagsOfPage } from './pathTags.ts'

/** What rendering a page to be kept came to. */
export type RegeneratedPage = {
  /** For the cache; not shared when nothing is to be kept. */
  readonly computed: Computed
  /** What the one who asked gets, where nothing is kept that he could get. */
  readonly own: { readonly document: HandlerResponse; readonly data: HandlerResponse | null } | null
  /** Whether it turned out to depend on its request. */
  readonly isPerRequest: boolean
}

/** What rendering ahead needs of the app. */
export type RegenerateOptions = {
  readonly render: (pathname: string) => Promise<PrerenderedUrl>
  readonly report: ReportError
}

/** A page to be rendered ahead. */
export type RegenerateUrl = {
  readonly pathname: string
  readonly pattern: string
  /** Whether an older rendering is still being served. */
  readonly wasKept: boolean
}

// As in the build.
const timeoutMs = 60_000

// How long a page that is gone, or depends on its request now, is rendered for each of them.
const perRequestSeconds = 60

type Answered = Extract<PrerenderedUrl, { kind: 'answer' }>

/**
 * Renders a page to be kept. Errors, fallback screens and what depends on its request never are.
 * @throws what the page threw
 */
export async function regeneratePage(
  url: RegenerateUrl,
  { render, report }: RegenerateOptions,
): Promise<RegeneratedPage> {
  const { pathname, pattern, wasKept } = url
  const rendered = await withDeadline(render(pathname), timeoutMs)
  if (rendered === timedOut) {
    throw new Error(`${pathname} was not rendered within ${timeoutMs / 1000} s.`)
  }
  switch (rendered.kind) {
    case 'failed':
      // Of a page that nothing is kept of, the rendering for the request will tell.
      if (wasKept) report(rendered.thrown, { phase: 'prerender', pathname, match: { pattern } })
      throw rendered.thrown
    case 'dynamic':
      return { computed: nothing(url), own: null, isPerRequest: true }
    case 'partial':
      return { computed: shellComputed(rendered, url), own: null, isPerRequest: false }
    case 'answer':
      return isKeepable(rendered)
        ? { computed: await toComputed(rendered, url), own: null, isPerRequest: false }
        : { computed: nothing(url), own: ownAnswer(rendered), isPerRequest: false }
  }
}

function isKeepable({ document, data }: Answered): boolean {
  return document.status < 400 && (data === null || data.status < 400)
}

/** Ends what was kept of a page that gives nothing to be kept any more. */
function nothing({ pathname, pattern, wasKept }: RegenerateUrl): Computed {
  const tags = tagsOfPage(pathname, pattern)
  return {
    value: perRequestValue,
    tags,
    revalidateSeconds: perRequestSeconds,
    expireSeconds: null,
    isShared: wasKept,
  }
}

function ownAnswer({ document, data }: Answered): NonNullable<RegeneratedPage['own']> {
  return { document: forOne(document), data: data && forOne(data) }
}

function forOne({ status, headers, body }: PrerenderedResponse): HandlerResponse {
  const others = headers.filter(([name]) => name.toLowerCase() !== 'cache-control')
  return { status, headers: [...others, ...privateNoStore], body }
}

function shellComputed(
  { shell, life }: Extract<PrerenderedUrl, { kind: 'partial' }>,
  { pathname, pattern }: RegenerateUrl,
): Computed {
  const tags = [...life.tags, ...tagsOfPage(pathname, pattern)]
  return { ...life, value: shell, tags, isShared: true }
}

async function toComputed(
  { document, data, life, isIntercepted }: Answered,
  { pathname, pattern }: RegenerateUrl,
): Promise<Computed> {
  const ofData = isIntercepted ? [navigationFromHeader] : []
  const page = {
    document: await toKept(document, life, []),
    data: data && (await toKept(data, life, ofData)),
  }
  const tags = [...life.tags, ...tagsOfPage(pathname, pattern)]
  return { ...life, value: encodePage(page), tags, isShared: true }
}

async function toKept(
  { status, headers, body }: PrerenderedResponse,
  life: PageCacheLife,
  handlerOnHeaders: readonly string[],
): Promise<CachedResponse> {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const isText = /^text\/|[/+](?:json|xml)(?:;|$)/.test(type)
  const isEncoded = headers.some(([name]) => name.toLowerCase() === 'content-encoding')
  const bodies = await bodyVariants(body, isText && !isEncoded)
  return {
    status,
    headers: cachedPageHeaders(status, headers, life),
    bodies,
    handlerOnHeaders,
    hasOwnCaching: hasOwnCaching(headers),
  }
}

// Below this, the head of the answer outweighs what is saved.
const minBytes = 1024
const maxRatio = 0.95

// Its tenth step takes a hundred times as long as its fifth, for a tenth less: a visitor may wait.
const brotliQuality = 5
const gzipLevel = 6

/** Makes the forms that a body is sent in: compressed once, when it is kept, and never again. */
export async function bodyVariants(
  body: Uint8Array,
  isCompressible: boolean,
): Promise<[BodyVariant, ...BodyVariant[]]> {
  const identity = keptBody('identity', body)
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
  return [identity, ...[keptBody('br', br), keptBody('gzip', gz)].filter(isSmaller)]
}

function keptBody(encoding: BodyVariant['encoding'], bytes: Uint8Array): BodyVariant {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { encoding, etag, bytes }
}
