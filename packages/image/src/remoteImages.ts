import type { Cache } from 'waymark/plugin'
import { appSecrets, currentRequest } from 'waymark/plugin/server'
import { createResizing } from './resizing.ts'
import {
  createRemoteImages,
  daySeconds,
  type RemoteImages,
  type RemoteImagesOptions,
} from './signedImages.ts'

/**
 * Resizes images from other servers on demand. Serves only URLs that the app has rendered, because
 * each URL is signed. Use it in server components.
 * @throws Error if a source's URL is invalid or doesn't end with a slash
 */
export function remoteImages<Name extends string>(
  options: RemoteImagesOptions<Name>,
): RemoteImages<Name> {
  const resizing = createResizing()
  return createRemoteImages(options, {
    resize: resizing.resize,
    secrets: appSecrets,
    read(key, compute) {
      const cache = currentRequest()?.cache
      return cache ? readThrough(cache, key, compute) : compute()
    },
    report(error) {
      currentRequest()?.reportError(error)
    },
  })
}

async function readThrough(cache: Cache, key: string, compute: () => Promise<Uint8Array>) {
  const lifetime = { revalidateSeconds: daySeconds, expireSeconds: 30 * daySeconds }
  const { value } = await cache.read(key, async () => {
    return { value: await compute(), tags: [], ...lifetime, isShared: true }
  })
  return value
}
