import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { RemoteImageError } from './remoteSource.ts'
import { createResizeProcess } from './resizeProcess.ts'
import program from './resizeWorker.js?raw'
import { withinMs } from './signedImages.ts'

/** Creates what resizes images, with the sharp that is installed beside this package. */
export const createResizing = () =>
  createResizeProcess({
    program,
    findSharp: () => findInstalled('sharp', 'remoteImages()'),
    withinMs,
  })

/**
 * Finds a dependency of this package, which is part of the server's bundle once an app is built.
 * @param user what needs it, for the message
 * @returns its URL
 */
export function findInstalled(dependency: string, user: string): string {
  const problems: unknown[] = []
  for (const from of [import.meta.url, path.join(process.cwd(), 'package.json')]) {
    try {
      const manifest = createRequire(from).resolve('@waymark/image/package.json')
      return pathToFileURL(createRequire(manifest).resolve(dependency)).href
    } catch (error) {
      problems.push(error)
    }
  }
  throw new RemoteImageError(
    502,
    `${user} needs the package @waymark/image where the app runs, with its dependencies. Run: npm install @waymark/image`,
    { cause: problems },
  )
}
