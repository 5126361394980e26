import type { HotChannel, HotPayload, RunnableDevEnvironment } from 'vite'

/**
 * After an edit, evaluates anew only the server modules that import the changed file, directly or
 * not. Vite's own reload evaluates all of them: React's development builds each time, which
 * enables one more async hook, and every package.
 * @param channel from the server to its module runner
 * @param dropStale takes the place of a full reload
 * @see docs/decisions/dev-server.md
 */
export function partialReloads<Api>(
  channel: HotChannel<Api>,
  dropStale: () => void,
): HotChannel<Api> {
  const send = (payload: HotPayload) => {
    // The browser's environment reports the same error.
    if (payload.type === 'error') return
    if (payload.type !== 'full-reload') return channel.send?.(payload)
    // What a reload tells the app's own code, `import.meta.hot.on('vite:beforeFullReload')`.
    channel.send?.({ type: 'custom', event: 'vite:beforeFullReload', data: payload })
    dropStale()
  }
  return { ...channel, send }
}

/** Forgets the evaluated modules that Vite has invalidated. The next import evaluates them. */
export function dropStale({ moduleGraph, runner }: RunnableDevEnvironment): void {
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
