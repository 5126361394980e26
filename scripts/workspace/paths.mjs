import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * The built command line. The link in `node_modules/.bin` is not used, because npm creates none
 * before the first build.
 */
export const waymarkCli = join(root, 'packages/waymark/dist/cli/main.js')

/** The reference site. */
export const siteRoot = join(root, 'site')

/**
 * Folder for the fingerprints of steps that were done. It must disappear together with
 * `node_modules`.
 */
export const stampsFolder = join(root, 'node_modules/.waymark-workspace')
