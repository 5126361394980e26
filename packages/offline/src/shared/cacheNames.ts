/** A cache of kept pages: those of a build that are for all, or those for one session. */
export type CacheName = {
  /** Its id: a hash. */
  readonly build: string
  /** `null` for pages that are for all. */
  readonly seal: string | null
}

/** @param basePath an origin may have an app at each of several paths */
export function cacheNameOf(basePath: string, { build, seal }: CacheName): string {
  return [storedName(basePath), build, seal].filter(Boolean).join('/')
}

/** The inverse of `cacheNameOf`; `null` for other caches. */
export function parseCacheName(basePath: string, name: string): CacheName | null {
  const [app, build = '', seal = null] = name.split('/')
  return app === storedName(basePath) ? { build, seal } : null
}

/** The name of what an app stores. What removes the worker removes the caches that begin with it. */
export const storedName = (basePath: string): string =>
  `waymark-offline${encodeURIComponent(basePath)}`

/** The name of the Web Lock that a tab or the service worker holds while it sends what waits. */
export const senderLockName = (basePath: string): string => nameOfApp('waymark-outbox', basePath)

/**
 * Names something that all pages of an origin share, such as a lock, or a key of the storage. The app of
 * each base path has a name of its own, so that no app waits for another one, or drops its data.
 */
export function nameOfApp(name: string, basePath: string): string {
  return name + encodeURIComponent(basePath)
}

/**
 * Seals a user for the name of a cache.
 * @param hash of the user and the session
 * @param cookie value of the user cookie when the pages were cached; `null` without one
 */
export const sealWithCookie = (hash: string, cookie: string | null): string =>
  `${hash}-${cookie ?? ''}`

/** True if pages of a seal were cached while the user cookie had this value. */
export const isOfCookie = (seal: string, cookie: string | null): boolean =>
  seal.slice(seal.indexOf('-') + 1) === (cookie ?? '')

/** The caches of kept pages, the latest first. */
export async function listCaches(
  storage: CacheStorage,
  basePath: string,
): Promise<(CacheName & { readonly name: string })[]> {
  return (await storage.keys()).reverse().flatMap((name) => {
    const parsed = parseCacheName(basePath, name)
    return parsed ? [{ ...parsed, name }] : []
  })
}

/** Deletes what was cached for a user, as far as its seal is not to stay. */
export async function deletePrivateCaches(
  storage: CacheStorage,
  basePath: string,
  stays: (seal: string) => boolean,
) {
  const others = (await listCaches(storage, basePath)).filter(
    ({ seal }) => seal !== null && !stays(seal),
  )
  await Promise.all(others.map(({ name }) => storage.delete(name)))
}
