import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { frameworkError } from '../shared/errors.ts'

/** Where plugin-rsc keeps its copy of React's server components runtime. */
export const reactServerDom = '@vitejs/plugin-rsc/vendor/react-server-dom'

// The first with all known holes closed, among them CVE-2025-55182: code of strangers on the server.
const oldestSafe = [19, 3, 1] as const

/**
 * Uses one build of React's server components runtime, that for Node: plugin-rsc asks for another
 * one in the modules it generates, and both would be loaded. Refuses a runtime with known holes,
 * be it plugin-rsc's own or a `react-server-dom-webpack` that the app has installed over it.
 */
export function reactServerDomPlugin(): Plugin {
  const checked = new Set<string>()
  return {
    name: 'waymark:react-server-dom',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: /^@vitejs\/plugin-rsc\/vendor\/react-server-dom\// },
      async handler(source, importer, options) {
        if (this.environment.config.consumer !== 'server') return null
        const wanted = source.replace(/\.edge$/, '.node')
        const resolved = await this.resolve(wanted, importer, { ...options, skipSelf: true })
        // An optimized copy says nothing of where it came from; it was resolved here before.
        if (resolved) assertSafe(resolved.id.replace(/\?.*$/, ''), checked)
        return resolved
      },
    },
  }
}

function assertSafe(file: string, checked: Set<string>): void {
  const manifest = path.join(path.dirname(file), 'package.json')
  if (checked.has(manifest) || !existsSync(manifest)) return
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    name?: string
    version?: string
  }
  if (name === 'react-server-dom-webpack' && version && !isSafe(version)) {
    const needed = oldestSafe.join('.')
    throw frameworkError('REACT_SERVER_DOM_TOO_OLD', {
      path: path.dirname(file),
      found: version,
      needed,
    })
  }
  checked.add(manifest)
}

/** Tells whether a version of React's server components runtime has no known holes. */
export function isSafe(version: string): boolean {
  const parts = version.split(/[.-]/).map(Number)
  for (const [index, needed] of oldestSafe.entries()) {
    const part = parts[index] ?? Number.NaN
    if (part !== needed) return part > needed
  }
  // 19.3.1-canary… came before 19.3.1.
  return !version.includes('-')
}
