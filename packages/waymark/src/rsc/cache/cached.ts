import { type GivenLifetime, type LifetimeName, readLifetime } from '../../cache/cacheLife.ts'
import { frameworkError } from '../../shared/errors.ts'
import { trace } from '../../shared/trace.ts'
import { tagsOfPage } from '../pageCache/pathTags.ts'
import { type CachedCall, type CacheScope, findScope, type RequestScope } from '../request/scope.ts'

/** How the results of a function are cached. */
export type CachedOptions<Args extends readonly unknown[]> = {
  /**
   * Names the function in the cache. What is cached under it outlives a deploy, and several
   * functions with one key share it. Without a key, the build names the function by its place,
   * and a new build computes again.
   */
  readonly key?: string
  /** For `revalidateTag` and `updateTag`; a function of the arguments names what they mean. */
  readonly tags?: readonly string[] | ((...args: Args) => readonly string[])
  /** Seconds until a result is refreshed, while it is served; default 900. */
  readonly revalidate?: number | false
  /** Seconds until it is never served again; default: never. */
  readonly expire?: number | false
}

// In the dev server a module is evaluated again when it or what it imports was changed: what was
// cached before may be out of date.
const isDev = import.meta.env?.DEV === true
// In a unit test no build has given names, and nothing is cached.
const isBuilt = import.meta.env?.DEV !== undefined

/**
 * Creates a function whose results are cached, by its arguments. To be called at the top level of a
 * module. Arguments and results are what React can send to a client, and promises, dates, maps and
 * elements with it; results are copies. What throws is not cached. Called outside of a request, the
 * function runs each time.
 * @param id given by the build
 * @throws `CACHED_WITHOUT_KEY`
 */
export function cached<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Result,
  options: CachedOptions<Args> = {},
  id?: string,
): (...args: Args) => Promise<Awaited<Result>> {
  const { key, tags = [], revalidate, expire } = options
  const name = key ?? id
  if (name === undefined && isBuilt) throw frameworkError('CACHED_WITHOUT_KEY', { name: run.name })
  const hasLifetime = revalidate !== undefined || expire !== undefined
  const call = {
    id: key === undefined ? `${name}${isDev ? evaluation() : ''}` : `key:${key}`,
    outlivesBuild: key !== undefined,
    // What comes out of a key's arguments are the arguments.
    run: run as unknown as CachedCall['run'],
    lifetime: hasLifetime ? { revalidate, expire } : null,
  }
  return async (...args): Promise<Awaited<Result>> => {
    const scope = findScope()
    const reader = scope?.phase === 'cache' ? scope : requestReader(scope)
    if (!reader?.readCached) {
      if (isDev) traceBypass(call.id, scope !== null)
      return await run(...args)
    }
    const given = typeof tags === 'function' ? tags(...args) : tags
    const result = reader.readCached({ ...call, args, tags: given }, reader)
    // The arguments are encoded and the result decoded on the way: it has the type it had.
    return result as Promise<Awaited<Result>>
  }
}

function traceBypass(id: string, isRequest: boolean): void {
  const reason = isRequest ? 'a draft is shown' : 'it runs outside of a request'
  trace({ type: 'cache', id, result: 'bypass', reason, durationMs: 0 })
}

function requestReader(scope: RequestScope | null) {
  if (scope === null) return null
  const { readCached, life } = scope.context
  const { request, url, match } = scope
  const readerTags = tagsOfPage(url.pathname, match?.pattern ?? url.pathname)
  return { readCached, life, request, readerTags }
}

function evaluation(): string {
  return `@${Math.random().toString(36).slice(2)}`
}

/**
 * Says how long what a cached function returns is cached: by the name of a lifetime, built in or
 * configured, or in seconds. Said more than once, the last counts.
 * @throws `OUTSIDE_CACHE`, `CACHE_LIFETIME`
 */
export function cacheLife(lifetime: LifetimeName | (string & {}) | GivenLifetime): void {
  const scope = cacheScope('cacheLife()')
  if (scope === null) return
  if (typeof lifetime !== 'string') {
    scope.lifetime = readLifetime(lifetime)
    return
  }
  const named = Object.hasOwn(scope.lifetimes, lifetime) ? scope.lifetimes[lifetime] : undefined
  if (!named) throw frameworkError('CACHE_LIFETIME', { value: JSON.stringify(lifetime) })
  scope.lifetime = named
}

/**
 * Gives tags to what a cached function returns, for `revalidateTag` and `updateTag`.
 * @throws `OUTSIDE_CACHE`
 */
export function cacheTag(...tags: string[]): void {
  const scope = cacheScope('cacheTag()')
  for (const tag of tags) scope?.tags.add(tag)
}

/** @returns `null` where nothing is cached: outside of any request, in drafts and in tests */
function cacheScope(api: string): CacheScope | null {
  const scope = findScope()
  if (scope?.phase === 'cache') return scope
  if (scope?.context.readCached) throw frameworkError('OUTSIDE_CACHE', { api })
  return null
}

/**
 * Wraps a function that says `'use cache'`: what the build puts in its place.
 * @param id of the function's place in the sources
 */
export function cachedByDirective<Value>(run: Value, id: string): Value {
  // A file may export other things, too.
  if (typeof run !== 'function') return run
  const wrapped = cached(run as (...args: unknown[]) => unknown, {}, id)
  return Object.defineProperty(wrapped, 'name', { value: run.name }) as Value
}
