/** Names of caches begin with it: what removes the worker removes these. */
const cachePrefix = 'waymark-offline/'

/** A cache of kept pages: those of a build that are for all, or those for one session. */
export type CacheName = {
  /** Its id: a hash. */
  readonly build: string
  /** `null` for pages that are for all. */
  readonly seal: string | null
}

export function cacheNameOf({ build, seal }: CacheName): string {
  return cachePrefix + build + (seal === null ? '' : `/${seal}`)
}

/** The inverse of `cacheNameOf`; `null` for caches of the app. */
export function parseCacheName(name: string): CacheName | null {
  if (!name.startsWith(cachePrefix)) return null
  const [build = '', seal = null] = name.slice(cachePrefix.length).split('/')
  return { build, seal }
}

/** The caches of kept pages, the oldest first. */
export async function listCaches(
  storage: CacheStorage,
): Promise<(CacheName & { readonly name: string })[]> {
  return (await storage.keys()).flatMap((name) => {
    const parsed = parseCacheName(name)
    return parsed ? [{ ...parsed, name }] : []
  })
}

/** Deletes what was kept for other sessions. */
export async function deletePrivateCaches(storage: CacheStorage, exceptSeal: string) {
  const others = (await listCaches(storage)).filter(
    ({ seal }) => seal !== null && seal !== exceptSeal,
  )
  await Promise.all(others.map(({ name }) => storage.delete(name)))
}
