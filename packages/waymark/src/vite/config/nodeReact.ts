import type { Plugin } from 'vite'
import { loadReact, type ReactSide, serverFile } from './reactLoader.ts'

const prefix = '\0waymark-node-react/'

/** Loaded by Node itself, from the modules that this plugin writes. */
export const loaderId = 'waymark/internal/dev-react'

const serverParts = /^react(?:-dom)?(?:\/(?:jsx-runtime|jsx-dev-runtime|compiler-runtime))?$/

/**
 * Lets Node load React in the dev server's environments: transforming its 20,000 lines at each start
 * would be a third of the cost of the first page.
 * @see docs/decisions/dev-reload.md
 */
export function nodeReactPlugin(): Plugin {
  return {
    name: 'waymark:node-react',
    enforce: 'pre',
    apply: 'serve',
    resolveId: {
      order: 'pre',
      filter: { id: serverParts },
      handler(id) {
        const { name, config } = this.environment
        return name === 'rsc' ? nodeReactId(serverFile(id, config.root)) : null
      },
    },
    load: {
      filter: { id: new RegExp(`^${prefix}`) },
      handler(id) {
        const { name, config } = this.environment
        return facade(id.slice(prefix.length), name as ReactSide, config.root)
      },
    },
    transform: {
      filter: { id: /\/@vitejs\/plugin-rsc\/dist\/shared-/, code: /function memoize/ },
      handler(code) {
        const isServer = this.environment.config.consumer === 'server'
        return isServer ? { code: boundReferences(code), map: null } : null
      },
    },
  }
}

// Each render has references of its own, so that it sees one state of an edited file.
const rememberedReferences = 1_000
const call = 'fn.call(this, argument)'
const remember = 'cache.set(argument, newValue);'

/**
 * Bounds plugin-rsc's memory of loaded client references, which has an entry for each reference of
 * each render, and with it the whole request that has loaded it first.
 */
export function boundReferences(code: string): string {
  if (!code.includes(remember) || !code.includes(call)) return code
  return [
    "import { AsyncLocalStorage as RequestStorage } from 'node:async_hooks'",
    'const outsideOfRequests = RequestStorage.snapshot()',
    code
      .replace(call, 'outsideOfRequests(() => fn.call(this, argument))')
      .replace(
        remember,
        `${remember} if (cache.size > ${rememberedReferences}) cache.delete(cache.keys().next().value);`,
      ),
  ].join('\n')
}

/** Id of the module that stands for a file of React. */
export function nodeReactId(file: string): string {
  return prefix + file
}

/** Writes the module that exports what Node has loaded. */
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
