import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { Plugin, Rolldown } from 'vite'

/** Tells which client code a module of the server brings along. */
export type ClientReferences = {
  /** @returns the keys of the client references that a module imports, itself or further down */
  referencesOf(moduleId: string): ReadonlySet<string>
}

/**
 * Reads the module graph of the `rsc` bundle while it is there.
 * @param onGraph gets what was read, once the bundle is made
 */
export function clientReferencesPlugin(
  manager: () => RscPluginManager,
  onGraph: (references: ClientReferences) => void,
): Plugin {
  return {
    name: 'waymark:client-references',
    apply: 'build',
    generateBundle() {
      if (this.environment.name !== 'rsc' || manager().isScanBuild) return
      onGraph(createClientReferences(importsById(this), manager().clientReferenceMetaMap))
    },
  }
}

/** The client's files as plugin-rsc lists them, once they are made. */
export function clientAssetsOf({ buildAssetsManifest }: RscPluginManager) {
  if (!buildAssetsManifest) throw new Error('The client was not bundled.')
  return buildAssetsManifest
}

/** Makes the look-up over a module graph. */
export function createClientReferences(
  imports: ReadonlyMap<string, readonly string[]>,
  references: Readonly<Record<string, { readonly referenceKey: string }>>,
): ClientReferences {
  return {
    referencesOf(moduleId) {
      const keys = new Set<string>()
      const visited = new Set<string>()
      const waiting = [moduleId]
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (visited.has(id)) continue
        visited.add(id)
        const reference = references[id]
        // What is behind it belongs to the browser's graph.
        if (reference) keys.add(reference.referenceKey)
        else waiting.push(...(imports.get(id) ?? []))
      }
      return keys
    },
  }
}

// Read at once: asking the bundler again for every route would take far longer.
function importsById(context: Rolldown.PluginContext): Map<string, readonly string[]> {
  const imports = new Map<string, readonly string[]>()
  for (const id of context.getModuleIds()) {
    imports.set(id, context.getModuleInfo(id)?.importedIds ?? [])
  }
  return imports
}
