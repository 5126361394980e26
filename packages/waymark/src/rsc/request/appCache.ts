import type { Cache } from '../../cache/cache.ts'
import { currentRequest } from './currentRequest.ts'

// Each app has its own bundle, and therefore its own copy of this variable.
let cache: Cache | null = null

/** Sets the cache for code that runs outside of requests, such as scheduled jobs. */
export function setAppCache(created: Cache | null): void {
  cache = created
}

/**
 * Returns the app's cache, inside and outside of requests.
 * @returns `null` if the app runs without a cache, as in unit tests
 */
export function appCache(): Cache | null {
  return currentRequest()?.cache ?? cache
}
