import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { DevEnvironment } from 'vite'
import { fileBelow } from './builtActions.ts'
import type { FindNames } from './importedNamesPlugin.ts'
import { createFindReaching, type ImportGraphs } from './reachingFiles.ts'

/** The actions of a dev server. */
export type DevActions = {
  isEmpty(): boolean
  /** Tells which files lead to an action; `null` for what is none. */
  find(id: string): { readonly id: string; readonly files: readonly string[] } | null
}

/** Makes the look-up of actions in a dev server: among the modules that it has transformed. */
export function createDevActions(
  { serverReferences, clientReferenceMetaMap }: RscPluginManager,
  { rsc, ssr, client }: Readonly<Record<'rsc' | 'ssr' | 'client', DevEnvironment>>,
  { appDir, findNames }: { readonly appDir: string; readonly findNames: FindNames },
): DevActions {
  // What a page shows was rendered to HTML before a browser has asked for it.
  const environments = { server: [rsc], client: [client, ssr] }
  const graphs: ImportGraphs = {
    *importersOf(side, id) {
      for (const { moduleGraph } of environments[side]) {
        const importers = moduleGraph.getModuleById(id)?.importers ?? []
        for (const { id: importer } of importers) if (importer) yield importer
      }
    },
    namesOf: (side, id) => findNames(side === 'server' ? ['rsc'] : ['client', 'ssr'], id),
    isClientReference: (id) => Object.hasOwn(clientReferenceMetaMap, id),
  }
  const find = (id: string) => {
    const [key = '', name = '', ...more] = id.split('#')
    const known = serverReferences.findByReferenceKey(key)
    if (more.length > 0 || !known?.exportNames.includes(name)) return null
    // Edits have changed the graphs.
    const reaching = [...createFindReaching(graphs)({ id: known.importId, name })]
    return { id, files: reaching.map((each) => fileBelow(appDir, each)) }
  }
  return { find, isEmpty: () => serverReferences.metaMap.size === 0 }
}
