import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'
import { changedEvent } from './overlayParts.ts'

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

const overlayFile = normalizePath(fileURLToPath(new URL('./overlay.js', import.meta.url)))

// Time for Vite to take notice itself, and for editors that write several files.
const quietMs = 50

/** Serves the script of pages that failed, and tells them when to try again. */
export function overlayPlugin(): Plugin {
  return {
    name: 'waymark:overlay',
    apply: 'serve',
    resolveId: {
      filter: { id: /^virtual:waymark\/overlay$/ },
      handler: () => overlayFile,
    },
    load: {
      filter: { id: /\/overlay\.js$/ },
      // Read here: the file may lie outside of the folders that Vite serves by itself.
      handler: (id) => (id === overlayFile ? readFile(overlayFile, 'utf8') : null),
    },
    configureServer({ watcher, environments }) {
      const { hot } = environments.client ?? {}
      let timer: NodeJS.Timeout | undefined
      let changedAtMs = Number.NEGATIVE_INFINITY
      watcher.on('all', () => {
        changedAtMs = performance.now()
        clearTimeout(timer)
        timer = setTimeout(() => hot?.send(changedEvent, { agoMs: 0 }), quietMs)
      })
      // Nobody tells a page of a change while it is connecting.
      hot?.on('vite:client:connect', (_nothing, client) => {
        client.send(changedEvent, { agoMs: performance.now() - changedAtMs })
      })
    },
  }
}
