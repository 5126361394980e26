import { readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import path from 'node:path'
import { compileFunction } from 'node:vm'

/** Selects React's builds for server components or for rendering HTML. */
export type ReactSide = 'rsc' | 'ssr'

type CommonModule = { exports: unknown }

const loaded: Readonly<Record<ReactSide, Map<string, CommonModule>>> = {
  rsc: new Map(),
  ssr: new Map(),
}

/**
 * Loads one of React's CommonJS files, only once per process. Each evaluation of React's runtime
 * for server components would enable a further async hook and wrap the console again.
 * @param root folder of the app whose React is used
 */
export function loadReact(file: string, side: ReactSide, root: string): unknown {
  const cached = loaded[side].get(file)
  if (cached) return cached.exports
  const module: CommonModule = { exports: {} }
  loaded[side].set(file, module)
  const requireNative = createRequire(file)
  const require = (id: string) => {
    if (id === 'async_hooks') return withinRenders(requireNative(id))
    if (isBuiltin(id)) return requireNative(id)
    if (id.startsWith('.')) return loadReact(requireNative.resolve(id), side, root)
    const file = side === 'rsc' ? serverFile(id, root) : null
    return file === null ? requireNative(id) : loadReact(file, side, root)
  }
  const code = readFileSync(file, 'utf8')
    // Use plugin-rsc's functions instead of webpack's, as plugin-rsc does.
    .replaceAll('__webpack_require__.u', '({}).u')
    .replaceAll('__webpack_require__', '__vite_rsc_require__')
  const names = ['exports', 'require', 'module']
  const run = compileFunction(code, names, { filename: file })
  run(module.exports, require, module)
  return module.exports
}

/**
 * Finds one of React's modules with the condition `react-server`.
 * @param id `react`, `react-dom` or one of their entries
 * @returns `null` if the module doesn't exist
 */
export function serverFile(id: string, root: string): string | null {
  const [name = '', ...rest] = id.split('/')
  const manifest = createRequire(path.join(root, 'package.json')).resolve(`${name}/package.json`)
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    exports: Readonly<Record<string, { readonly 'react-server'?: unknown }>>
  }
  const target = exports[['.', ...rest].join('/')]?.['react-server']
  return typeof target === 'string' ? path.join(path.dirname(manifest), target) : null
}

type AsyncHooks = typeof import('node:async_hooks')

/**
 * Limits React's async hook to renders. For developer tools, React's development build links each
 * promise in the process to earlier ones. Outside of renders, it would also link the promises of
 * Vite's own work, and memory use would grow without end.
 */
function withinRenders(hooks: AsyncHooks): AsyncHooks {
  let storage: { getStore(): unknown } | undefined
  return {
    ...hooks,
    AsyncLocalStorage: class<T> extends hooks.AsyncLocalStorage<T> {
      constructor() {
        super()
        // The first storage that React creates is the one for requests.
        storage ??= this
      }
    },
    createHook({ init, ...others }) {
      return hooks.createHook({
        ...others,
        init(...args) {
          if (storage?.getStore()) init?.(...args)
        },
      })
    },
  }
}
