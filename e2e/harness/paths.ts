import { join } from 'node:path'
import { root } from '../../scripts/workspace/paths.mjs'

/** Folder of the end-to-end tests, which is an npm workspace. */
export const e2eRoot = join(root, 'e2e')

/**
 * Folder in which tests build and run copies of apps. It is inside the workspace, so that imports
 * of packages resolve.
 */
export const appsFolder = join(e2eRoot, 'apps')

/** Folder for screenshots of failed tests. */
export const resultsFolder = join(e2eRoot, 'test-results')

/**
 * Returns the folder of an app's sources.
 * @param name `site`, `examples/<name>`, `conformance` for the app of `waymark conformance`, or a folder
 * of `e2e/fixtures`
 */
export function appSource(name: string): string {
  if (name === 'conformance') return join(root, 'packages/conformance/tested')
  const isOfRoot = name === 'site' || name.startsWith('examples/')
  return isOfRoot ? join(root, name) : join(e2eRoot, 'fixtures', name)
}
