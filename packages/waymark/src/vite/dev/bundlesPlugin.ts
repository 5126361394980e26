import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'

const dist = fileURLToPath(new URL('../../', import.meta.url))
const clientFilePrefix = 'waymark/internal/dev/'

/**
 * Has the dev server run the framework from a few bundles (`scripts/workspace/devBundles.mjs`) in place of some
 * three hundred modules, each of which it would transform by itself for each environment.
 */
export function bundlesPlugin(): Plugin {
  const sides = { browser: filesOf('browser'), server: filesOf('server') }
  return {
    name: 'waymark:dev-bundles',
    enforce: 'pre',
    apply: 'serve',
    resolveId: {
      filter: { id: /^waymark(?:\/|$)|[\\/]dist[\\/].*\.js$/ },
      handler(id) {
        const side = this.environment.name === 'rsc' ? sides.server : sides.browser
        if (id.startsWith(clientFilePrefix)) {
          return sides.browser.get(id.slice(clientFilePrefix.length))
        }
        return side.get(nameOf(id))
      },
    },
  }
}

/** What a file of this package, or one of its public parts, is called in `dist`. */
function nameOf(id: string): string {
  if (!path.isAbsolute(id)) return `${id.slice('waymark/'.length) || 'index'}.js`
  return normalizePath(path.relative(dist, id))
}

/** The bundles of one side by the names of the modules that they stand for. */
function filesOf(side: string): ReadonlyMap<string, string> {
  const folder = path.join(dist, 'dev', side)
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(normalizePath)
  const entries = files.filter((file) => file.endsWith('.js') && !file.startsWith('chunks/'))
  return new Map(entries.map((file) => [file, normalizePath(path.join(folder, file))]))
}
