import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import { loaderId, reactServerDom } from '../config/frameworkFiles.ts'
import { loadReact, type ReactSide, serverFile } from './reactLoader.ts'

/**
 * Name under which plugin-react makes each module with components import itself, for fast refresh.
 */
export const reloadedExports = '__vite_react_currentExports'

const prefix = '\0waymark-node-react/'

const serverParts = /^react(?:-dom)?(?:\/(?:jsx-runtime|jsx-dev-runtime|compiler-runtime))?$/

/**
 * Lets Node load React. Transforming React's 20,000 lines would take a third of the first page's
 * time.
 */
export function nodeReactPlugin(): Plugin {
  let isPossible = false
  return {
    name: 'waymark:node-react',
    enforce: 'pre',
    apply: 'serve',
    configResolved({ root, logger }) {
      isPossible = canNodeLoadReact(root)
      if (!isPossible) logger.warn(skipped)
    },
    resolveId: {
      order: 'pre',
      filter: { id: serverParts },
      handler(id) {
        const { name, config } = this.environment
        if (name !== 'rsc' || !isPossible) return null
        const file = serverFile(id, config.root)
        return file === null ? null : nodeReactId(file)
      },
    },
    load: {
      filter: { id: new RegExp(`^${prefix}`) },
      handler(id) {
        const { name, config } = this.environment
        return facade(id.slice(prefix.length), name as ReactSide, config.root)
      },
    },
  }
}

const skipped =
  'Waymark skipped "node-react": the package.json of this React version lists its files for server components in an unexpected way. The first page of the dev server takes longer, and the server uses more memory. Nothing else changes.'

/**
 * True if the app's React has a single file for server components, which doesn't depend on any
 * other condition.
 */
function canNodeLoadReact(root: string): boolean {
  return serverFile('react', root) !== null && serverFile('react-dom', root) !== null
}

export function nodeReactId(file: string): string {
  return prefix + file
}

/** True for a module that passes on a React module, which Node has loaded. */
export function isNodeReact(id: string): boolean {
  return id.startsWith(prefix)
}

function facade(file: string, side: ReactSide, root: string): string {
  const exported = loadReact(file, side, root) as Readonly<Record<string, unknown>>
  const names = Object.keys(exported).filter((name) => name !== 'default')
  return [
    `import { loadReact } from ${JSON.stringify(loaderId)}`,
    `const react = loadReact(${[file, side, root].map((each) => JSON.stringify(each)).join(', ')})`,
    'export default react',
    ...names.map((name) => `export const ${name} = react.${name}`),
    '',
  ].join('\n')
}

// First version without known vulnerabilities. Earlier ones let strangers run code on the server
// (CVE-2025-55182).
const oldestSafe = '19.3.1'

/**
 * Uses React's runtime for Node. Refuses versions with known vulnerabilities, even if the app has
 * installed them.
 */
export function reactServerDomPlugin(): Plugin {
  const checked = new Set<string>()
  return {
    name: 'waymark:react-server-dom',
    enforce: 'pre',
    resolveId: {
      order: 'pre',
      filter: { id: new RegExp(`^${reactServerDom}/`) },
      async handler(source, importer, options) {
        if (this.environment.config.consumer !== 'server') return null
        const nodeBuild = source.replace(/\.edge$/, '.node')
        const resolved = await this.resolve(nodeBuild, importer, { ...options, skipSelf: true })
        if (!resolved) return null
        const file = resolved.id.replace(/\?.*$/, '')
        assertSafe(path.dirname(file), checked)
        const { mode, config } = this.environment
        return mode === 'dev' && canNodeLoadReact(config.root) ? nodeReactId(file) : resolved
      },
    },
  }
}

function assertSafe(folder: string, checked: Set<string>): void {
  const manifest = path.join(folder, 'package.json')
  if (checked.has(manifest) || !existsSync(manifest)) return
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, string>
  if (name === 'react-server-dom-webpack' && version && !isSafe(version)) {
    const values = { path: folder, version, needed: oldestSafe }
    throw frameworkError('REACT_SERVER_DOM_TOO_OLD', values)
  }
  checked.add(manifest)
}

export function isSafe(version: string): boolean {
  const [release = ''] = version.split('-', 1)
  const order = release.localeCompare(oldestSafe, 'en', { numeric: true })
  // A prerelease, such as 19.3.1-canary…, is older than its release.
  return order > 0 || (order === 0 && release === version)
}
