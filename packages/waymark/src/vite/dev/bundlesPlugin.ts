import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { frameworkFile, frameworkFolder } from '../config/frameworkFiles.ts'
import { changedEvent, lastChangeEvent } from './overlayParts.ts'

const clientFilePrefix = 'waymark/internal/dev/'

/**
 * In development, runs the framework from a few bundles. Without them, Vite would transform three
 * hundred modules.
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

function nameOf(id: string): string {
  if (!path.isAbsolute(id)) return `${id.slice('waymark/'.length) || 'index'}.js`
  return normalizePath(path.relative(frameworkFolder, id))
}

function filesOf(side: string): ReadonlyMap<string, string> {
  const folder = path.join(frameworkFolder, 'dev', side)
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(normalizePath)
  const entries = files.filter((file) => file.endsWith('.js') && !file.startsWith('chunks/'))
  return new Map(entries.map((file) => [file, normalizePath(path.join(folder, file))]))
}

const overlayFile = frameworkFile('overlay')

// Milliseconds without changes after which pages are notified. Vite has to notice a change first,
// and editors write several files.
const quietMs = 50

/** Serves the overlay's script and notifies failed pages of changes. */
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
      // A failed page asks once it listens, because it has missed earlier events.
      hot?.on(lastChangeEvent, (_nothing, client) => {
        client.send(changedEvent, { agoMs: performance.now() - changedAtMs })
      })
    },
  }
}
