import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'
import { changedEvent } from './overlayNames.ts'

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
