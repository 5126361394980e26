import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { normalizePath, type Plugin } from 'vite'

/**
 * Creates names of modules that are the same on every machine, wherever `node_modules` is: the ids of
 * actions and client components are hashes of them.
 * @param root the app's, absolute
 * @returns turns a module's absolute path into one from the root, or from the `node_modules` in
 *   which the app finds it
 */
export function createModuleNames(root: string): (id: string) => string {
  return (id) => {
    const relative = normalizePath(path.relative(root, id))
    if (!relative.startsWith('../')) return relative
    const start = relative.indexOf('/node_modules/')
    if (start === -1) return relative
    const inPackages = relative.slice(start + 1)
    // A package that is installed twice would give two modules one name.
    return findUpwards(root, inPackages) === path.resolve(id) ? inPackages : relative
  }
}

/** A module of plugin-rsc with another key in every build. */
export const encryptionKeyFile = /(?:^|\/)__vite_rsc_encryption_key\.js$/

export function moduleNamesPlugin(manager: RscPluginManager): Plugin {
  return {
    name: 'waymark:module-names',
    apply: 'build',
    configResolved: {
      order: 'post',
      handler({ root }) {
        manager.toRelativeId = createModuleNames(root)
      },
    },
  }
}

/** Finds a file of a package as Node does, going up from a folder. */
export function findUpwards(folder: string, inPackages: string): string | null {
  const found = path.join(folder, inPackages)
  if (existsSync(found.replace(/\?.*$/, ''))) return found
  const parent = path.dirname(folder)
  return parent === folder ? null : findUpwards(parent, inPackages)
}

// plugin-rsc has references in the order in which modules were read, or by absolute path. Both differ
// between builds of the same sources.

export function sortServerReferences({ serverReferences }: RscPluginManager): void {
  sortMap(serverReferences.metaMap, ({ referenceKey }) => referenceKey)
  // plugin-rsc builds the map from this one when it reads a module again. Its types hide it.
  const { claimMap } = serverReferences as unknown as { claimMap?: unknown }
  if (!(claimMap instanceof Map)) return
  sortMap(claimMap, (_claims, id) => serverReferences.resolve(id, 'rsc').referenceKey)
}

/** Sorts the client references, and names those that share a chunk after the first of them. */
export function sortClientReferences(manager: RscPluginManager): void {
  const entries = Object.entries(manager.clientReferenceMetaMap)
  entries.sort(([, a], [, b]) => (a.referenceKey < b.referenceKey ? -1 : 1))
  manager.clientReferenceMetaMap = Object.fromEntries(entries)
  const shared = new Map<string, string>()
  for (const [id, meta] of entries) {
    const { serverChunk } = meta
    if (!serverChunk?.startsWith('shared:')) continue
    const name = shared.get(serverChunk) ?? `shared:${manager.toRelativeId(id)}`
    shared.set(serverChunk, name)
    meta.serverChunk = name
  }
}

function sortMap<Value>(
  map: Map<string, Value>,
  keyOf: (value: Value, id: string) => string,
): void {
  const entries = [...map].map(([id, value]) => ({ id, value, key: keyOf(value, id) }))
  entries.sort((a, b) => (a.key < b.key ? -1 : 1))
  map.clear()
  for (const { id, value } of entries) map.set(id, value)
}
