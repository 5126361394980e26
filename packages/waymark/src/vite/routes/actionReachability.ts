import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { type DevEnvironment, normalizePath, type Plugin, type Rolldown } from 'vite'
import type { BuiltActions } from '../../builds/buildManifest.ts'
import { frameworkFolder } from '../config/frameworkFiles.ts'
import { type ImportedNames, readImportedNames } from './importedNames.ts'

/**
 * Lists the actions that a build's routes can reach.
 *
 * @param appDir absolute path with forward slashes
 * @param routeFiles paths relative to `appDir`
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
      // An action that no page reaches can't be called.
      if (files.length > 0) actions[`${referenceKey}#${name}`] = files.sort()
    }
  }
  return actions
}

/** Returns a module's path relative to a folder. Outside the folder, it begins with `../`. */
export function fileBelow(folder: string, id: string): string {
  return normalizePath(path.relative(folder, id.replace(/\?.*$/, '')))
}

export type DevActions = ReturnType<typeof createDevActions>

export function createDevActions(
  { serverReferences, clientReferenceMetaMap: references }: RscPluginManager,
  { rsc, ssr, client }: Readonly<Record<'rsc' | 'ssr' | 'client', DevEnvironment>>,
  { appDir, findNames }: { readonly appDir: string; readonly findNames: FindNames },
) {
  const environments = { server: [rsc], client: [client, ssr] }
  const graphs: ImportGraphs = {
    *importersOf(side, id) {
      for (const { moduleGraph } of environments[side]) {
        for (const each of moduleGraph.getModulesByFile(id.replace(/[?#].*$/, '')) ?? []) {
          // plugin-rsc omits the version that Vite adds to files in packages, so compare ids
          // without it.
          if (each.id !== id && each.id?.replace(/\?v=[\da-f]+$/, '') !== id) continue
          for (const { id: by } of each.importers) if (by) yield proxiedId(by, references)
        }
      }
    },
    namesOf: findNames,
    isClientReference: (id) => Object.hasOwn(references, id),
  }
  /** Finds the files that lead to an action, or returns `null` if there is no such action. */
  const find = (id: string) => {
    const [key = '', name = '', ...more] = id.split('#')
    const reference = serverReferences.findByReferenceKey(key)
    if (more.length > 0 || !reference?.exportNames.includes(name)) return null
    // Edits change the graphs, so create a new search for each call.
    const reaching = [...createFindReaching(graphs)({ id: reference.importId, name })]
    return { id, files: reaching.map((each) => fileBelow(appDir, each)) }
  }
  function* ids(): Iterable<string> {
    for (const { referenceKey, exportNames } of serverReferences.metaMap.values()) {
      for (const name of exportNames) yield `${referenceKey}#${name}`
    }
  }
  return { find, ids, isEmpty: () => serverReferences.metaMap.size === 0 }
}

/**
 * Finds the server's module for a package's client component. Browsers import the component through
 * one of plugin-rsc's modules, whose id contains the component's file or the package's name.
 * @returns `id` for all other modules
 */
function proxiedId(id: string, references: RscPluginManager['clientReferenceMetaMap']): string {
  const [, encoded] = packageProxy.exec(id) ?? []
  if (encoded === undefined) return id
  const source = decodeURIComponent(encoded)
  const isMeant = (key: string) => key === source || references[key]?.packageSource === source
  return Object.keys(references).find(isMeant) ?? id
}

const packageProxy = /^\0virtual:vite-rsc\/client-(?:in-server-)?package-proxy\/(.+)$/

export type ImportGraphs = {
  /** @returns ids of the modules that import a module on that side */
  importersOf(side: Side, id: string): Iterable<string>
  /** True if a module is a client component, so that the server only has a reference to it. */
  isClientReference(id: string): boolean
  /**
   * Finds the names that a module imports. If they are unknown, the module counts as using
   * everything that it imports.
   */
  readonly namesOf: FindNames
}

export type ResolvedNames = ImportedNames & {
  /** @returns the module that a specifier resolves to, or `null` if it's outside the graph */
  resolved(specifier: string): string | null
}

export type Side = 'server' | 'client'

/** A module's export that leads to the wanted one. */
type Reached = { readonly side: Side; readonly id: string; readonly name: string }

// Matches modules that import all actions, all client components, or all route files.
export const listsOfAll = /virtual:(?:vite-rsc\/(?:server|client)-references|waymark\/routes$)/

// Name that stands for all of a module's exports.
const everyName = '*'

// Stands for running the module, for imports without names.
const running = ''

/** Finds the server's modules that lead to an export, such as an action. */
export type FindReaching = (wanted: { readonly id: string; readonly name: string }) => Set<string>

/**
 * Creates a search for the modules that lead to an export: its importers, their importers and so
 * on, as far as each uses the export, and also through client components. The search is valid until
 * the graphs change.
 * @param sides sides (server or client) on which the export's module is imported
 */
export function createFindReaching(
  graphs: ImportGraphs,
  sides: readonly Side[] = ['server', 'client'],
): FindReaching {
  const importers = new Map<string, Importers>()

  function importersOf(side: Side, id: string): Importers {
    const key = `${side} ${id}`
    const cached = importers.get(key) ?? readImporters(side, id, graphs)
    importers.set(key, cached)
    return cached
  }

  return (wanted) => {
    const reached = new Map<string, Reached>()
    const add = (each: Reached) => reached.set(`${each.side} ${each.name} ${each.id}`, each)
    for (const side of sides) {
      for (const name of exportsUsing(side, wanted, graphs)) add({ side, id: wanted.id, name })
    }
    // The loop also visits the exports that it adds to the map.
    for (const { side, id, name } of reached.values()) {
      if (side === 'client' && graphs.isClientReference(id)) add({ side: 'server', id, name })
      for (const each of leadingExports(importersOf(side, id), name)) add(each)
    }
    const onServer = [...reached.values()].filter(({ side }) => side === 'server')
    return new Set(onServer.map(({ id }) => id))
  }
}

/** Returns the export, and the exports of its module that use it, as with inline actions. */
function exportsUsing(
  side: Side,
  { id, name }: { readonly id: string; readonly name: string },
  graphs: ImportGraphs,
): string[] {
  const names = graphs.namesOf(side, id)
  return [name, ...(names ? (names.usersOf(name) ?? allOf(names)) : [])]
}

/** A module's importers, with the exports through which each leads to the module. */
type Importers = {
  /** Exports that use an imported name, keyed by the name; `*` for all names. */
  readonly exports: Map<string, Reached[]>
  /** Modules with `export *`, with the names that they export themselves. */
  readonly stars: { readonly reached: Reached; readonly hidden: ReadonlySet<string> }[]
}

function readImporters(side: Side, imported: string, graphs: ImportGraphs): Importers {
  const importers: Importers = { exports: new Map(), stars: [] }
  const add = (name: string, id: string, through: readonly string[]) => {
    const list = importers.exports.get(name) ?? []
    importers.exports.set(name, list)
    for (const each of through) list.push({ side, id, name: each })
  }
  for (const id of graphs.importersOf(side, imported)) {
    if (listsOfAll.test(id)) continue
    const names = graphs.namesOf(side, id)
    const isMeant = (specifier: string) => names?.resolved(specifier) === imported
    const uses = names?.uses.filter(({ specifier }) => isMeant(specifier)) ?? []
    const isStarred = names?.stars.some(isMeant) ?? false
    if (names && isStarred) {
      importers.stars.push({ reached: { side, id, name: everyName }, hidden: names.exports })
    }
    for (const { name, through } of uses) add(name, id, through ?? (names ? allOf(names) : []))
    // The code doesn't show how this module uses the import, so assume that it uses everything.
    if (uses.length === 0 && !isStarred) add(everyName, id, [everyName])
  }
  return importers
}

/** Returns the importers' exports that lead to one of a module's exports. */
function leadingExports({ exports, stars }: Importers, name: string): Reached[] {
  if (name === everyName) return [...exports.values(), stars.map(({ reached }) => reached)].flat()
  const leading = [...(exports.get(name) ?? []), ...(exports.get(everyName) ?? [])]
  if (name === 'default' || name === running) return leading
  // `export *` skips names that the module exports itself.
  const passing = stars.filter(({ hidden }) => !hidden.has(name))
  return [...leading, ...passing.map(({ reached }) => ({ ...reached, name }))]
}

function allOf({ exports }: ResolvedNames): string[] {
  return [...exports, running]
}

/**
 * Finds the names that a module imports. If several environments have read it, the latest one
 * counts, because it has the newest code.
 * @returns `null` if the module's code wasn't read
 */
export type FindNames = (side: Side, id: string) => ResolvedNames | null

// Environments in which each side's modules run. Client modules also run in `ssr`, because a page
// is rendered to HTML before the browser loads the page's modules.
const environmentsOf: Readonly<Record<Side, readonly string[]>> = {
  server: ['rsc'],
  client: ['client', 'ssr'],
}

// Matches packages. They make up most of the code and aren't searched.
const packages = /[\\/]node_modules[\\/]/

/**
 * True if the app may have actions. In a build, valid after the server's modules have been scanned.
 * The dev server discovers actions one by one, so it always returns true.
 */
export function mayHaveActions({ server, serverReferences }: RscPluginManager): boolean {
  return server !== undefined || serverReferences.metaMap.size > 0
}

/** Reads the names that the app's modules import when the modules are transformed. */
export function importedNamesPlugin(manager: RscPluginManager): {
  readonly plugin: Plugin
  readonly findNames: FindNames
} {
  /** Names by module id, then by environment, newest last. */
  const read = new Map<string, Map<string, ResolvedNames>>()
  const isRead = (environment: string) => {
    if (manager.isScanBuild) return false
    // In a build, the names in the environment that renders HTML aren't needed.
    return manager.server !== undefined || (environment !== 'ssr' && mayHaveActions(manager))
  }
  const plugin: Plugin = {
    name: 'waymark:imported-names',
    // By then, code is compiled, but Vite hasn't rewritten imports for the dev server yet.
    enforce: 'post',
    transform: {
      filter: { id: { exclude: [packages, `${frameworkFolder}**`] }, code: /\b(?:im|ex)port\b/ },
      async handler(code, id) {
        const { name } = this.environment
        if (!isRead(name)) return
        const byEnvironment = read.get(id) ?? new Map<string, ResolvedNames>()
        read.set(id, byEnvironment)
        byEnvironment.delete(name)
        const names = await readImportedNames(code)
        if (names) byEnvironment.set(name, await resolveNames(this, id, names))
      },
    },
  }
  const findNames: FindNames = (side, id) => {
    const newest = [...(read.get(id) ?? [])].reverse()
    return newest.find(([name]) => environmentsOf[side].includes(name))?.[1] ?? null
  }
  return { plugin, findNames }
}

// Matches specifiers that don't lead to the app's own modules.
const others = /^(?:node:|file:|(?:react|react-dom)(?:\/|$))/

export async function resolveNames(
  context: Pick<Rolldown.PluginContext, 'resolve'>,
  id: string,
  names: ImportedNames,
): Promise<ResolvedNames> {
  const specifiers = new Set([...names.uses.map(({ specifier }) => specifier), ...names.stars])
  const ids = new Map<string, string>()
  await Promise.all(
    [...specifiers].map(async (specifier) => {
      if (others.test(specifier)) return
      const target = await context.resolve(specifier, id)
      if (target) ids.set(specifier, target.id)
    }),
  )
  return { ...names, resolved: (specifier) => ids.get(specifier) ?? null }
}
