import { createRequire } from 'node:module'
import path from 'node:path'

/** Packages whose build writes pages of the guide to `dist/docs`. */
export const packagesWithDocs = [
  'waymark',
  'next',
  '@waymark/arrivals',
  '@waymark/live',
  '@waymark/offline',
  '@waymark/replay',
  '@waymark/testing',
]

/**
 * Finds the pages of the guide that an app has installed.
 * @param root folder of the app
 * @returns folders of Markdown files. A folder may be missing.
 */
export function docsFolders(root: string): string[] {
  const { resolve } = createRequire(path.join(root, 'package.json'))
  return packagesWithDocs.flatMap((name) => {
    try {
      return [path.join(resolve(`${name}/package.json`), '../dist/docs')]
    } catch {
      // The app hasn't installed this package.
      return []
    }
  })
}
