import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { observeReads } from './observeReads.ts'

/** Environment variable that turns on the plugin. */
export const readsVariable = 'WAYMARK_CONTRACT_READS'

const recorder = fileURLToPath(new URL('./recordReads.js', import.meta.url))

/**
 * Vite plugin that records in browsers which fields client components read. It only runs in the dev
 * server, and never in a build.
 */
export function readsPlugin(): Plugin {
  let root = ''
  return {
    name: 'waymark:contract-reads',
    apply: 'serve',
    enforce: 'pre',
    configResolved(config) {
      root = config.root
    },
    transform(code, id) {
      if (this.environment.name !== 'client' || !code.includes('use client')) return null
      const [path = ''] = id.split('?')
      const file = relative(root, path).split(sep).join('/')
      if (!/\.[cm]?[jt]sx?$/.test(path) || file.startsWith('../')) return null
      if (file.includes('node_modules/')) return null
      const changed = observeReads(code, file, recorder)
      return changed === null ? null : { code: changed, map: null }
    },
  }
}
