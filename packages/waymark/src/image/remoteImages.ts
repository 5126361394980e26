import build from 'virtual:waymark/build'
import type { Cache } from '../cache/cache.ts'
import { readSecrets } from '../rsc/action/encryption.ts'
import { findScope } from '../rsc/request/scope.ts'
import { createResizeProcess } from './resizeProcess.ts'
import program from './resizeWorker.js?raw'
import {
  createRemoteImages,
  daySeconds,
  type RemoteImages,
  type RemoteImagesOptions,
  withinMs,
} from './signedImages.ts'

/**
 * Images of other servers, resized on demand: only those that the app itself has rendered, whose
 * URLs are signed. For server components.
 * @throws Error for a source whose URL is none, or does not end with a slash
 */
export function remoteImages<Name extends string>(
  options: RemoteImagesOptions<Name>,
): RemoteImages<Name> {
  const resizing = createResizeProcess({ program, withinMs })
  return createRemoteImages(options, {
    resize: resizing.resize,
    secrets: () => readSecrets(process.env, build.secret),
    read(key, compute) {
      const scope = findScope()
      const cache = scope && 'context' in scope ? scope.context.cache : null
      return cache ? readThrough(cache, key, compute) : compute()
    },
    report(error) {
      const scope = findScope()
      if (scope && 'context' in scope) scope.context.after.onError(error)
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
