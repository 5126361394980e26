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

/** A lifetime by its name, or with its own end. */
type Profile = string | { readonly expire?: number | undefined }

/**
 * Makes everything with a tag out of date: with a profile it is refreshed while it is served,
 * without one, or with `expire: 0`, nobody gets it again.
 * @returns resolves once all replicas were notified; need not be awaited
 */
export function revalidateTag(tag: string, profile?: Profile): Promise<void> {
  const isEnd = profile === undefined || (typeof profile === 'object' && profile.expire === 0)
  return isEnd ? endTags(tag) : makeStale(tag)
}

/** Ends everything with a tag, for someone who must see at once what they have changed. */
export function updateTag(tag: string): Promise<void> {
  return endTags(tag)
}

/** Ends the cached pages of a path, and what they read of the cache. */
export function revalidatePath(path: string, type?: 'page' | 'layout'): Promise<void> {
  return endPath(path, type)
}

/** Makes the page that is rendered dynamic. */
export function unstable_noStore(): void {
  // Nobody waits for it: that it was called is enough.
  void connection().catch(() => {})
}

type CacheOptions = {
  readonly tags?: readonly string[] | undefined
  /** Seconds; `false`: only a tag. */
  readonly revalidate?: number | false | undefined
}

/**
 * Creates a function whose results are cached by its arguments.
 * @param keyParts tell functions of equal sources from each other, by what they close over
 */
export function unstable_cache<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
  keyParts: readonly string[] = [],
  { tags = [], revalidate = false }: CacheOptions = {},
): (...args: Args) => Promise<Result> {
  const key = JSON.stringify([String(run), keyParts, tags])
  return cached(run, { key, tags, revalidate }) as (...args: Args) => Promise<Result>
}
