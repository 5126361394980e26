import {
  cached,
  connection,
  revalidatePath as endPath,
  updateTag as endTags,
  revalidateTag as makeStale,
} from 'waymark/server'

export {
  cacheLife,
  cacheLife as unstable_cacheLife,
  cacheTag,
  cacheTag as unstable_cacheTag,
  refresh,
} from 'waymark/server'

/** Name of a lifetime, or a lifetime with its own expiry. */
type Profile = string | { readonly expire?: number | undefined }

/**
 * Invalidates everything with a tag. With a profile, cached results are still returned while they
 * are refreshed. Without one, or with `expire: 0`, old results are never returned again.
 * @returns a promise that resolves once all replicas have been notified. You don't have to await
 * it.
 */
export function revalidateTag(tag: string, profile?: Profile): Promise<void> {
  const isEnd = profile === undefined || (typeof profile === 'object' && profile.expire === 0)
  return isEnd ? endTags(tag) : makeStale(tag)
}

/** Immediately invalidates everything with a tag, so that users see their own changes. */
export function updateTag(tag: string): Promise<void> {
  return endTags(tag)
}

/** Invalidates the cached pages of a path, and the cached data that they used. */
export function revalidatePath(path: string, type?: 'page' | 'layout'): Promise<void> {
  return endPath(path, type)
}

/** Makes the current page dynamic. */
export function unstable_noStore(): void {
  // Calling `connection()` is enough to make the page dynamic, so ignore the result.
  void connection().catch(() => {})
}

type CacheOptions = {
  readonly tags?: readonly string[] | undefined
  /** Seconds after which results are refreshed. With `false`, only a tag invalidates them. */
  readonly revalidate?: number | false | undefined
}

/**
 * Returns a function that caches its results, keyed by its arguments.
 * @param keyParts distinguish functions that have the same source but use different outer values
 */
export function unstable_cache<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
  keyParts: readonly string[] = [],
  { tags = [], revalidate = false }: CacheOptions = {},
): (...args: Args) => Promise<Result> {
  const key = JSON.stringify([String(run), keyParts, tags])
  return cached(run, { key, tags, revalidate }) as (...args: Args) => Promise<Result>
}
