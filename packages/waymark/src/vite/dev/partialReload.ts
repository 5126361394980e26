import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type HotPayload,
  isRunnableDevEnvironment,
  type Plugin,
  type RunnableDevEnvironment,
} from 'vite'

/**
 * After an edit, evaluates anew only the server modules that import the changed file, directly or
 * not. Vite's own reload evaluates all of them: React's development builds each time, which
 * enables one more async hook, and every package.
 * @see docs/decisions/dev-server.md
 */
export function partialReloadPlugin(): Plugin {
  return {
    name: 'waymark:partial-reload',
    apply: 'serve',
    configureServer({ environments }) {
      for (const environment of [environments.rsc, environments.ssr]) {
        if (!environment || !isRunnableDevEnvironment(environment)) continue
        reloadInParts(environment)
        fetchOutside(environment)
      }
    },
  }
}

/**
 * Transforms modules outside of the request that imports them: the watcher of a file, created then,
 * would hold the request for good, and run each later edit in its scope.
 */
function fetchOutside(environment: RunnableDevEnvironment): void {
  const outside = AsyncLocalStorage.snapshot()
  const fetchModule = environment.fetchModule.bind(environment)
  environment.fetchModule = (...args) => outside(fetchModule, ...args)
}

function reloadInParts(environment: RunnableDevEnvironment): void {
  const { hot } = environment
  const send = hot.send.bind(hot) as (...args: unknown[]) => void
  hot.send = (...args: unknown[]) => {
    const payload = args[0] as HotPayload | string
    if (typeof payload === 'string' || payload.type !== 'full-reload') return send(...args)
    // What a reload tells the app's own code, `import.meta.hot.on('vite:beforeFullReload')`.
    send({ type: 'custom', event: 'vite:beforeFullReload', data: payload })
    dropStale(environment)
  }
}

/**
 * Forgets the evaluated modules that Vite has invalidated. The next import evaluates them.
 */
function dropStale({ moduleGraph, runner }: RunnableDevEnvironment): void {
  const { idToModuleMap, urlToIdModuleMap, fileToModulesMap } = runner.evaluatedModules
  for (const [id, node] of idToModuleMap) {
    // Node itself has loaded it, and would give the same module again.
    if (node.meta && 'externalize' in node.meta) continue
    const known = moduleGraph.getModuleById(node.meta?.id ?? id)
    if (known?.transformResult) continue
    // Not `invalidateModule`: whoever still loads the old module goes on with it.
    idToModuleMap.delete(id)
    fileToModulesMap.get(node.file)?.delete(node)
  }
  for (const [url, node] of urlToIdModuleMap) {
    if (idToModuleMap.get(node.id) !== node) urlToIdModuleMap.delete(url)
  }
}
