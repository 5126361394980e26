import { fileURLToPath } from 'node:url'
import { getPluginApi, type RscPluginManager } from '@vitejs/plugin-rsc'
import { normalizePath, type Plugin, parseAstAsync, type Rolldown } from 'vite'
import { type ImportedNames, readImportedNames } from './importedNames.ts'
import type { ResolvedNames } from './reachingFiles.ts'

/**
 * Finds which names a module takes from others.
 * @param environments of several, what was read last counts: there the code is the newest
 * @returns `null` for a module whose code was not read
 */
export type FindNames = (environments: readonly string[], id: string) => ResolvedNames | null

type Read = { readonly names: ResolvedNames; readonly count: number }

// Packages count as wholes: theirs is the larger part of the code.
const packages = /[\\/]node_modules[\\/]/
const ownFiles = `${normalizePath(fileURLToPath(new URL('../../', import.meta.url)))}**`

/** Reads which names the app's modules take from each other, as they are transformed. */
export function importedNamesPlugin(): { readonly plugin: Plugin; readonly findNames: FindNames } {
  const read = new Map<string, Read>()
  let count = 0
  const keyOf = (environment: string, id: string) => `${environment} ${id}`
  let manager: RscPluginManager | undefined
  const isRead = (environment: string) => {
    if (!manager || manager.isScanBuild) return false
    // The build has found all actions by now, and has no need of the renderer.
    return manager.server !== undefined || (environment !== 'ssr' && hasActions(manager))
  }
  const plugin: Plugin = {
    name: 'waymark:imported-names',
    // What others have compiled, before Vite writes its own imports in the dev server.
    enforce: 'post',
    configResolved(config) {
      manager = getPluginApi(config)?.manager
    },
    transform: {
      filter: { id: { exclude: [packages, ownFiles] }, code: /\b(?:im|ex)port\b/ },
      async handler(code, id) {
        const { name } = this.environment
        if (!isRead(name)) return
        const key = keyOf(name, id)
        read.delete(key)
        const names = await readCode(code)
        if (names === null) return
        count += 1
        read.set(key, { count, names: await resolveNames(this, id, names) })
      },
    },
  }
  const findNames: FindNames = (environments, id) => {
    const found = environments.flatMap((environment) => read.get(keyOf(environment, id)) ?? [])
    return found.sort((a, b) => b.count - a.count)[0]?.names ?? null
  }
  return { plugin, findNames }
}

function hasActions({ serverReferences }: RscPluginManager): boolean {
  return serverReferences.metaMap.size > 0
}

async function readCode(code: string): Promise<ImportedNames | null> {
  try {
    return readImportedNames(await parseAstAsync(code))
  } catch {
    // No JavaScript, such as a stylesheet: who bundles it says what is wrong with it, if anything.
    return null
  }
}

// Of the framework's own modules, and of React's, none is an app's.
const others = /^(?:node:|file:|(?:react|react-dom|waymark)(?:\/|$))/

async function resolveNames(
  context: Rolldown.TransformPluginContext,
  id: string,
  names: ImportedNames,
): Promise<ResolvedNames> {
  const specifiers = new Set([...names.uses.map(({ specifier }) => specifier), ...names.stars])
  const ids = new Map<string, string>()
  await Promise.all(
    [...specifiers].map(async (specifier) => {
      if (others.test(specifier)) return
      const found = await context.resolve(specifier, id)
      if (found) ids.set(specifier, found.id)
    }),
  )
  return { ...names, resolved: (specifier) => ids.get(specifier) ?? null }
}
