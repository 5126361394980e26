import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { appSecrets, type Cache, findScope } from 'waymark/internal/server'
import { RemoteImageError } from './remoteSource.ts'
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
  const resizing = createResizeProcess({ program, findSharp, withinMs })
  return createRemoteImages(options, {
    resize: resizing.resize,
    secrets: appSecrets,
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

/**
 * Finds sharp beside this package, which is part of the server's bundle once an app is built.
 * @returns its URL
 */
function findSharp(): string {
  const problems: unknown[] = []
  for (const from of [import.meta.url, path.join(process.cwd(), 'package.json')]) {
    try {
      const manifest = createRequire(from).resolve('@waymark/image/package.json')
      return pathToFileURL(createRequire(manifest).resolve('sharp')).href
    } catch (error) {
      problems.push(error)
    }
  }
  throw new RemoteImageError(502, notInstalled, { cause: problems })
}

const notInstalled =
  'remoteImages() needs the package @waymark/image where the app runs, with its dependencies. Run: npm install @waymark/image'
