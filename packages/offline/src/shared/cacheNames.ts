/** Identifies a cache of pages. Each build has one for public pages, and one for each session. */
export type CacheName = {
  /** Id of the build, a hash. */
  readonly build: string
  /** Seal of the session to which the pages belong; `null` for public pages. */
  readonly seal: string | null
}

/** @param basePath distinguishes the apps on one origin */
export function cacheNameOf(basePath: string, { build, seal }: CacheName): string {
  return [storedName(basePath), build, seal].filter(Boolean).join('/')
}

/** The inverse of `cacheNameOf`. Returns `null` for names of other caches. */
export function parseCacheName(basePath: string, name: string): CacheName | null {
  const [app, build = '', seal = null] = name.split('/')
  return app === storedName(basePath) ? { build, seal } : null
}

/**
 * Prefix of the names of everything that an app stores. Removing the worker deletes the caches with
 * this prefix.
 */
export const storedName = (basePath: string): string =>
  `waymark-offline${encodeURIComponent(basePath)}`

/** Name of the Web Lock that a tab or the service worker holds while it sends waiting entries. */
export const senderLockName = (basePath: string): string => nameOfApp('waymark-outbox', basePath)

/**
 * Returns a name for something that all pages on an origin share, such as a lock or a storage key.
 * The name includes the base path. Otherwise two apps on one origin would wait for each other's lock
 * and delete each other's data.
 */
export function nameOfApp(name: string, basePath: string): string {
  return name + encodeURIComponent(basePath)
}

/**
 * Builds the seal that identifies a user in the name of a cache.
 * @param hash hash of the user and the session
 * @param cookie value of the user cookie when the pages were cached; `null` without one
 */
export const sealWithCookie = (hash: string, cookie: string | null): string =>
  `${hash}-${cookie ?? ''}`

/** True if the user cookie had this value when the pages of a seal were cached. */
export const isOfCookie = (seal: string, cookie: string | null): boolean =>
  seal.slice(seal.indexOf('-') + 1) === (cookie ?? '')

/** Lists the caches of pages, newest first. */
export async function listCaches(
  storage: CacheStorage,
  basePath: string,
): Promise<(CacheName & { readonly name: string })[]> {
  return (await storage.keys()).reverse().flatMap((name) => {
    const parsed = parseCacheName(basePath, name)
    return parsed ? [{ ...parsed, name }] : []
  })
}

/** Deletes the caches of private pages whose seals `stays` rejects. */
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
