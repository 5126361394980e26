import { createRequire } from 'node:module'
import path from 'node:path'

/** Packages whose build writes guide pages to `dist/docs`. */
export const packagesWithDocs = [
  'waymark',
  'next',
  '@waymark/arrivals',
  '@waymark/live',
  '@waymark/offline',
  '@waymark/replay',
  '@waymark/session',
  '@waymark/testing',
]

/**
 * Finds the guide pages in the packages that an app has installed.
 * @param root folder of the app
 * @returns folders with Markdown files. Some of them may not exist.
 */
export function docsFolders(root: string): string[] {
  const { resolve } = createRequire(path.join(root, 'package.json'))
  return packagesWithDocs.flatMap((name) => {
    try {
      return [path.join(resolve(`${name}/package.json`), '../dist/docs')]
    } catch {
      // The app hasn't installed the package.
      return []
    }
  })
}
