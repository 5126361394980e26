import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { getPluginApi, type RscPluginManager } from '@vitejs/plugin-rsc'
import { type DevEnvironment, normalizePath, type Plugin, parseAstAsync, type Rolldown } from 'vite'
import type { BuiltActions } from '../../shared/buildManifest.ts'
import { type ImportedNames, readImportedNames } from './importedNames.ts'

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

/** Which module imports what of which, on the server and in browsers. */
export type ImportGraphs = {
  /** @returns ids of the modules that import a module there */
  importersOf(side: Side, id: string): Iterable<string>
  /** Whether the server holds a mere reference in place of a module, which browsers load. */
  isClientReference(id: string): boolean
  /** @returns `null` for a module whose code was not read: it uses all names of what it imports */
  namesOf(side: Side, id: string): ResolvedNames | null
}

/** What the code of a module says of names, and which modules it means. */
export type ResolvedNames = ImportedNames & {
  /** @returns the module that a specifier stands for; `null` for one outside of the graph */
  resolved(specifier: string): string | null
}

export type Side = 'server' | 'client'

/** An export of a module that leads to the action. */
type Reached = { readonly side: Side; readonly id: string; readonly name: string }

// Modules that name all actions, all client components, or all route files of an app.
const listsOfAll = /virtual:(?:vite-rsc\/(?:server|client)-references|waymark\/routes$)/

// Of a module: all of its exports, whatever their names are.
const everyName = '*'

// Of a module: that it runs, for whoever imports it without a name.
const running = ''

/** Finds the modules of the server that lead to an action. */
export type FindReaching = (action: {
  /** Of its module. */
  readonly id: string
  /** As its module exports it. */
  readonly name: string
}) => Set<string>

/**
 * Makes the search for what leads to an action: the modules that import it by name, and those that
 * import what leads to it, by name again; through what client components import, too. It stays
 * valid as long as the graphs do not change.
 */
export function createFindReaching(graphs: ImportGraphs): FindReaching {
  const importers = { server: new Map<string, Importers>(), client: new Map<string, Importers>() }

  function importersOf(side: Side, id: string): Importers {
    const known = importers[side].get(id) ?? readImporters(side, id, graphs)
    importers[side].set(id, known)
    return known
  }

  return (action) => {
    const reached = new Set<string>()
    const visited = new Set<string>()
    const waiting = [
      ...actionExports('server', action, graphs),
      ...actionExports('client', action, graphs),
    ]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { side, id, name } = next
      const key = `${side} ${name} ${id}`
      if (visited.has(key)) continue
      visited.add(key)
      if (side === 'server') reached.add(id)
      else if (graphs.isClientReference(id)) waiting.push({ side: 'server', id, name })
      for (const each of leadingExports(importersOf(side, id), name)) waiting.push(each)
    }
    return reached
  }
}

/** The action itself, and what uses it in its own module: inline actions are used there alone. */
function actionExports(
  side: Side,
  { id, name }: { readonly id: string; readonly name: string },
  graphs: ImportGraphs,
): Reached[] {
  const names = graphs.namesOf(side, id)
  const users = names ? (names.usersOf(name) ?? allOf(names)) : []
  return [name, ...users].map((each) => ({ side, id, name: each }))
}

/** What imports a module, and which exports of it lead there. */
type Importers = {
  /** By the name that is imported; `*` for all. */
  readonly exports: Map<string, Reached[]>
  /** Modules that pass all names on, but for those that they export themselves. */
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
    // It imports the module in a way that its code does not show.
    if (uses.length === 0 && !isStarred) add(everyName, id, [everyName])
  }
  return importers
}

/** The exports of a module's importers that lead to an export of it. */
function leadingExports({ exports, stars }: Importers, name: string): Reached[] {
  if (name === everyName) return [...exports.values(), stars.map(({ reached }) => reached)].flat()
  const leading = [...(exports.get(name) ?? []), ...(exports.get(everyName) ?? [])]
  if (name === 'default' || name === running) return leading
  // A star passes on what has no other meaning in its module.
  const passing = stars.filter(({ hidden }) => !hidden.has(name))
  return [...leading, ...passing.map(({ reached }) => ({ ...reached, name }))]
}

function allOf({ exports }: ResolvedNames): string[] {
  return [...exports, running]
}

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
