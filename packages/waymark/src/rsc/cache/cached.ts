import { type LifetimeName, type LifetimeOptions, readLifetime } from '../../cache/cacheLife.ts'
import { frameworkError } from '../../shared/errors.ts'
import { trace } from '../../wire/trace.ts'
import { tagsOfPage } from '../request/pathTags.ts'
import { type CachedCall, type CacheScope, findScope, type RequestScope } from '../request/scope.ts'

/** Options of `cached()`. */
export type CachedOptions<Args extends readonly unknown[]> = {
  /**
   * Name of the function in the cache. Functions with the same key share their results, which also
   * survive a deployment. Without a key, the name is the function's place in the code.
   */
  readonly key?: string
  /** Tags for `revalidateTag` and `updateTag`. Pass a function if the tags depend on the arguments. */
  readonly tags?: readonly string[] | ((...args: Args) => readonly string[])
  /**
   * Seconds after which a result is refreshed in the background, while the old result is still
   * returned. Default: 900.
   */
  readonly revalidate?: number | false
  /** Seconds after which a result is never returned again. Default: never. */
  readonly expire?: number | false
}

// In development, results are dropped when a changed module is evaluated again.
const isDev = import.meta.env?.DEV === true
// Unit tests cache nothing, because only a build names functions.
const isBuilt = import.meta.env?.DEV !== undefined

/**
 * Caches the results of a function, keyed by its arguments. Call `cached()` at the top level of a
 * module. Arguments and results may be anything that React can send to a client. Each caller gets a
 * copy of the result. Errors aren't cached.
 * @param id name of the function within one build. The build sets it for calls at the top level of
 * a module. A plugin that wraps functions must set it, and must pass captured variables as
 * arguments.
 * @throws `CACHED_WITHOUT_KEY`
 * @example const getPrices = cached(async (region: string) => db.prices(region), { tags: ['prices'] })
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
    // Cast the function: decoding restores the types of its arguments.
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
    const callTags = typeof tags === 'function' ? tags(...args) : tags
    const result = reader.readCached({ ...call, args, tags: callTags }, reader)
    // Cast the result: encoding and decoding keep its type.
    return result as Promise<Awaited<Result>>
  }
}

function traceBypass(id: string, isRequest: boolean): void {
  const reason = isRequest ? 'draft mode is on' : 'it runs outside of a request'
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
 * Sets the lifetime of the running cached function's result.
 * @param lifetime name of a lifetime, or times in seconds
 * @throws `OUTSIDE_CACHE`, `CACHE_LIFETIME`
 */
export function cacheLife(lifetime: LifetimeName | (string & {}) | LifetimeOptions): void {
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

/** Adds tags to the result of the running cached function. @throws `OUTSIDE_CACHE` */
export function cacheTag(...tags: string[]): void {
  const scope = cacheScope('cacheTag()')
  for (const tag of tags) scope?.tags.add(tag)
}

/**
 * Returns the scope of the running cached function, or `null` where nothing is cached: outside of
 * requests, in draft mode and in unit tests.
 */
function cacheScope(api: string): CacheScope | null {
  const scope = findScope()
  if (scope?.phase === 'cache') return scope
  if (scope?.context.readCached) throw frameworkError('OUTSIDE_CACHE', { api })
  return null
}
