import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { RemoteImageError } from './remoteSource.ts'
import { createResizeProcess } from './resizeProcess.ts'
import program from './resizeWorker.js?raw'
import { withinMs } from './signedImages.ts'

/**
 * Creates a runner that resizes images with the version of sharp that is installed with this
 * package.
 */
export const createResizing = () =>
  createResizeProcess({
    program,
    findSharp: () => findInstalled('sharp', 'remoteImages()'),
    withinMs,
  })

/**
 * Finds a dependency of this package. In a built app, this package is part of the server's bundle,
 * so the dependency is also searched for from the app's folder.
 * @param user the feature that needs the dependency, for the error message
 * @returns URL of the dependency's main module
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
    `${user} needs @waymark/image and its dependencies. Install the package on the machine that runs the app.`,
    { cause: problems },
  )
}
