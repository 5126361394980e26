import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RscPluginManager, RscPluginOptions } from '@vitejs/plugin-rsc'
import { normalizePath, type Plugin } from 'vite'

/**
 * Creates a function that gives modules the same names on every machine, wherever `node_modules`
 * is. The ids of actions and client components are hashes of these names.
 *
 * @param root absolute path of the app's root
 * @returns a function that makes a module's absolute path relative to the root, or to the
 * `node_modules` folder in which the app finds it
 */
export function createModuleNames(root: string): (id: string) => string {
  return (id) => {
    const relative = normalizePath(path.relative(root, id))
    if (!relative.startsWith('../')) return relative
    const start = relative.indexOf('/node_modules/')
    if (start === -1) return relative
    const inPackages = relative.slice(start + 1)
    // If a package is installed twice, the short name is ambiguous. Use it only if the app finds
    // this file under it.
    return findUpwards(root, inPackages) === path.resolve(id) ? inPackages : relative
  }
}

/** Matches plugin-rsc's module that contains a different key in each build. */
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

/** Finds a package's file like Node, by going up from a folder. */
export function findUpwards(folder: string, inPackages: string): string | null {
  const file = path.join(folder, inPackages)
  if (existsSync(file.replace(/\?.*$/, ''))) return file
  const parent = path.dirname(folder)
  return parent === folder ? null : findUpwards(parent, inPackages)
}

// plugin-rsc keeps references in the order in which it has read modules, or sorted by absolute
// path. Both can differ between builds of the same sources, so sort them by key.

export function sortServerReferences({ serverReferences }: RscPluginManager): void {
  sortMap(serverReferences.metaMap, ({ referenceKey }) => referenceKey)
  // plugin-rsc rebuilds `metaMap` from this map when it reads a module again.
  const { claimMap } = serverReferences
  sortMap(claimMap, (_claims, id) => serverReferences.resolve(id, 'rsc').referenceKey)
}

export function sortClientReferences(manager: RscPluginManager): void {
  const entries = Object.entries(manager.clientReferenceMetaMap)
  entries.sort(([, a], [, b]) => (a.referenceKey < b.referenceKey ? -1 : 1))
  manager.clientReferenceMetaMap = Object.fromEntries(entries)
}

/**
 * Creates plugin-rsc's option `clientChunks`, which names client chunks whose components share a
 * chunk on the server. plugin-rsc takes the name from the component whose absolute path comes
 * first, which differs between machines. This function uses the order of `sortClientReferences`
 * instead.
 */
export function createChunkNames(): NonNullable<RscPluginOptions['clientChunks']> {
  const names = new Map<string, string>()
  return ({ serverChunk, normalizedId }) => {
    if (!serverChunk.startsWith('shared:')) return serverChunk
    const name = names.get(serverChunk) ?? `shared:${normalizedId}`
    names.set(serverChunk, name)
    return name
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
