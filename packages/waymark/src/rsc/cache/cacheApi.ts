import { type GivenLifetime, type LifetimeName, readLifetime } from '../../cache/lifetime.ts'
import { frameworkError } from '../../shared/errors.ts'
import { type CacheScope, findScope } from '../request/scope.ts'

/**
 * Says how long what a cached function returns is kept: by the name of a lifetime, built in or
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

/** @returns `null` where a cached function runs outside of any request, and nothing is kept */
function cacheScope(api: string): CacheScope | null {
  const scope = findScope()
  if (scope && scope.phase !== 'cache') throw frameworkError('OUTSIDE_CACHE', { api })
  return scope
}
