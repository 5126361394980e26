/** Options of `fetch`, in addition to the platform's own. */
export type NextFetchOptions = {
  /**
   * Seconds after which the response is refreshed. With `false`, only a tag invalidates it. With 0,
   * it isn't cached.
   */
  readonly revalidate?: number | false | undefined
  readonly tags?: readonly string[] | undefined
}

type FetchCache =
  | 'auto'
  | 'default-cache'
  | 'only-cache'
  | 'force-cache'
  | 'force-no-store'
  | 'default-no-store'
  | 'only-no-store'

/** Options that layouts and the page set for all requests during a rendering. */
export type SegmentOptions = {
  readonly fetchCache?: FetchCache | undefined
  readonly revalidate?: number | false | undefined
}

/** How a request is handled: sent each time, or cached. */
export type FetchPlan =
  /**
   * The request is sent each time. With `isDynamic`, the page that uses the response isn't cached
   * either.
   */
  | { readonly kind: 'send'; readonly isDynamic: boolean; readonly tags: readonly string[] }
  | {
      readonly kind: 'cache'
      readonly revalidate: number | false
      readonly tags: readonly string[]
    }

/** The parts of a request that the decision depends on. */
type PlannedRequest = {
  readonly method: string
  readonly url: string
  readonly cache: RequestCache | undefined
  readonly next: NextFetchOptions
  /** True if the request has credentials: `Authorization` or `Cookie`. */
  readonly isPersonal: boolean
}

/**
 * Decides if a response is cached, and for how long.
 * @throws Error for options that are invalid or contradict the segment
 */
export function planFetch(request: PlannedRequest, segment: SegmentOptions): FetchPlan {
  const { method, url, isPersonal, next } = request
  checkOptions(url, next)
  const { tags = [] } = next
  const { fetchCache = 'auto' } = segment
  const requested = requestedMode(request)
  if (fetchCache === 'only-cache' && requested === 'send')
    throw refused(url, fetchCache, 'no-store')
  if (fetchCache === 'only-no-store' && requested === 'cache')
    throw refused(url, fetchCache, 'force-cache')
  const mode = forced[fetchCache] ?? requested ?? defaults[fetchCache]
  const isCacheable = method === 'GET' || method === 'HEAD'
  const isWanted = mode === 'cache' && (requested === 'cache' || !isPersonal)
  if (!isCacheable || !isWanted) return { kind: 'send', isDynamic: mode === 'send', tags }
  // Without its own lifetime, the request gets the page's, so that the page has new data when it is
  // rendered again.
  const revalidate = next.revalidate || segment.revalidate || false
  return { kind: 'cache', revalidate, tags }
}

const forced: Partial<Record<FetchCache, FetchMode>> = {
  'force-cache': 'cache',
  'force-no-store': 'send',
  'only-no-store': 'send',
}
const defaults: Partial<Record<FetchCache, FetchMode>> = {
  'default-cache': 'cache',
  'only-cache': 'cache',
  'default-no-store': 'send',
}

type FetchMode = 'send' | 'cache'

function requestedMode({ cache, next }: PlannedRequest): FetchMode | undefined {
  if (cache === 'no-store' || cache === 'no-cache' || next.revalidate === 0) return 'send'
  return cache === 'force-cache' || next.revalidate !== undefined ? 'cache' : undefined
}

function refused(url: string, fetchCache: FetchCache, cache: RequestCache): Error {
  return new Error(
    `fetch(${JSON.stringify(url)}) sets cache: '${cache}', but its segment has fetchCache = '${fetchCache}'. Change one of them.`,
  )
}

const longestTag = 256
const mostTags = 128

function checkOptions(url: string, { revalidate, tags = [] }: NextFetchOptions): void {
  const isTime =
    revalidate === undefined ||
    revalidate === false ||
    (typeof revalidate === 'number' && revalidate >= 0)
  const where = `fetch(${JSON.stringify(url)})`
  if (!isTime) {
    throw new TypeError(
      `${where}: next.revalidate is ${JSON.stringify(revalidate) ?? String(revalidate)}. Set it to a number of seconds, 0 or more, or to false.`,
    )
  }
  const areTags =
    Array.isArray(tags) &&
    tags.length <= mostTags &&
    tags.every((tag) => typeof tag === 'string' && tag !== '' && tag.length <= longestTag)
  if (areTags) return
  throw new TypeError(
    `${where}: next.tags is not valid. Set it to a list of at most ${mostTags} strings, each with 1 to ${longestTag} characters.`,
  )
}
