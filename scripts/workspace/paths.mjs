import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Path of the built command line. The link in `node_modules/.bin` can't be used, because npm
 * doesn't create it before the first build.
 */
export const waymarkCli = join(root, 'packages/waymark/dist/cli/main.js')

/** Root folder of the reference site. */
export const siteRoot = join(root, 'site')

/**
 * Folder for the fingerprints of finished steps. It must disappear together with `node_modules`.
 */
export const stampsFolder = join(root, 'node_modules/.waymark-workspace')
