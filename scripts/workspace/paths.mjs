import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The command line as built; the bin link is not used, for npm makes none before the first build. */
export const waymarkCli = join(root, 'packages/waymark/dist/cli/main.js')

/** The reference site. */
export const siteRoot = join(root, 'site')

/** Where steps remember what they were done for; gone with `node_modules`, as it must be. */
export const stampsFolder = join(root, 'node_modules/.waymark-workspace')
