import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { normalizePath } from 'vite'
import type { BuiltActions } from '../../shared/build.ts'
import { createFindReaching, type ImportGraphs } from './reachingFiles.ts'

/**
 * Lists the actions that a build's routes reach.
 * @param appDir absolute, with forward slashes
 * @param routeFiles relative to it
 */
export function listBuiltActions(
  { serverReferences }: Pick<RscPluginManager, 'serverReferences'>,
  graphs: ImportGraphs,
  { appDir, routeFiles }: { readonly appDir: string; readonly routeFiles: ReadonlySet<string> },
): BuiltActions {
  const findReaching = createFindReaching(graphs)
  const actions: Record<string, BuiltActions[string]> = {}
  for (const { importId, referenceKey, exportNames } of serverReferences.metaMap.values()) {
    for (const name of exportNames) {
      const reaching = [...findReaching({ id: importId, name })]
      const files = reaching.map((id) => fileBelow(appDir, id)).filter((it) => routeFiles.has(it))
      // What no page reaches is not callable.
      if (files.length > 0) actions[`${referenceKey}#${name}`] = files.sort()
    }
  }
  return actions
}

/** A module's file relative to a folder; what stands outside of it begins with `../`. */
export function fileBelow(folder: string, id: string): string {
  return normalizePath(path.relative(folder, id.replace(/\?.*$/, '')))
}
