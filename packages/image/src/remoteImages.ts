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
 * Images of other servers, resized on demand: only those that the app itself has rendered, whose
 * URLs are signed. For server components.
 * @throws Error for a source whose URL is none, or does not end with a slash
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
