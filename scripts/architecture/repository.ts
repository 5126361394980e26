import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { filesBelow } from '../workspace/fingerprint.mjs'
import { root } from '../workspace/paths.mjs'
import { parseSource, type Source } from './source.ts'

const sourceFolders = ['packages', 'site', 'examples', 'e2e', 'scripts']
const sourceNames = /\.([cm]?[jt]sx?|s?css)$/

/**
 * Lists all files of the repository, relative to its root. Leaves out the output of builds and
 * installs.
 */
export function repositoryPaths(): string[] {
  return filesBelow(root)
    .map((file) => relative(root, file).split(sep).join('/'))
    .filter((path) => !path.startsWith('e2e/apps/'))
}

/**
 * Parses all source files. Fixtures that are broken on purpose are left out.
 * @param paths files of the repository
 */
export function readSources(paths: readonly string[]): Source[] {
  return paths
    .filter((path) => sourceFolders.includes(path.split('/')[0] ?? '') && sourceNames.test(path))
    .filter((path) => !path.startsWith('e2e/fixtures/broken-'))
    .map((path) => parseSource(path, readText(path)))
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Returns the text of a file of the repository, or null if the file does not exist. */
export function readTextIfThere(path: string): string | null {
  return existsSync(join(root, path)) ? readText(path) : null
}
