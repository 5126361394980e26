import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { Plugin, Rolldown, ViteBuilder } from 'vite'
import type { BuildManifest, PreviousRoute } from '../../builds/buildManifest.ts'
import type { AdapterOutcome } from '../config/hostAdapter.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import type { DescribedFailures } from '../prerender/prerenderApp.ts'
import {
  createFindReaching,
  type FindNames,
  fileBelow,
  type ImportGraphs,
  listsOfAll,
  type ResolvedNames,
  resolveNames,
  type Side,
} from '../routes/actionReachability.ts'
import { readImportedNames } from '../routes/importedNames.ts'
import { listIdleModules } from './idleModules.ts'

export type BundledApp = {
  readonly builder: ViteBuilder
  readonly reporter: BuildReporter
  readonly references: ClientReferences
  /** Builds of the browser's code: one, or one for each variant. The first is the default. */
  readonly clients: readonly [ClientBuild, ...ClientBuild[]]
  readonly manager: RscPluginManager
  readonly options: ResolvedOptions
  /** Packages with native code that the server imports. */
  readonly nativePackages: readonly string[]
  /** Optional dependencies of packages that aren't installed. */
  readonly absentPackages: readonly string[]
  readonly assetsFrom: string | null
}

/**
 * A bundle's files by name. Chunks only have the properties that the caller needs, so that tests
 * can create them easily.
 */
export type Bundle<Members extends keyof Rolldown.OutputChunk> = Readonly<
  Record<
    string,
    { readonly type: 'asset' } | Readonly<Pick<Rolldown.OutputChunk, 'type' | Members>>
  >
>

/** One build of the browser's code. */
export type ClientBuild = {
  /** Id of the variant. `null` if the app has no variants. */
  readonly variant: string | null
  readonly bundle: Bundle<'moduleIds' | 'imports'>
  /** URLs of the build's files, by client reference. */
  readonly assets: NonNullable<RscPluginManager['buildAssetsManifest']>
}

export type BuildReporter = {
  step(text: string): void
  progress(text: string): void
  /**
   * Describes the current step's work. Printed only if this step takes longer than all others
   * together.
   */
  detail(text: string): void
  /** Prints the output that the app's own code writes while pages are rendered. */
  output(text: string): void
  finish(manifest: BuildManifest, outcome: BuildOutcome): void
}

/** Results of a build that aren't in the build's manifest. */
export type BuildOutcome = DescribedFailures & {
  readonly before: readonly PreviousRoute[] | null
  /** Problems that packages found. */
  readonly problems: readonly string[]
  /** Describes how the adapter's host serves the build. */
  readonly hosting: AdapterOutcome
}

export type ClientReferences = {
  /** @returns ids of the modules that a module imports, on the server or in browsers */
  importsOf(moduleId: string): Iterable<string>
  /** @returns the keys of the client references that a module imports directly or indirectly */
  referencesOf(moduleId: string): ReadonlySet<string>
  /**
   * Lists the client components that each route file may show, because it imports them directly or
   * indirectly.
   *
   * @param routeFiles paths relative to the app folder
   * @returns keys of references by route file; files without references are left out
   */
  listReachable(
    appDir: string,
    routeFiles: ReadonlySet<string>,
  ): Readonly<Record<string, readonly string[]>>
  /** Imports between modules. */
  readonly graphs: ImportGraphs
  /** The modules that browsers load when a page is idle. */
  readonly idleModules: ReadonlySet<string>
}

/** plugin-rsc's data about `'use client'` files, by module id. */
type ReferenceMap = Readonly<
  Record<string, { readonly referenceKey: string; readonly renderedExports: readonly string[] }>
>

export type ModuleGraph = {
  readonly imports: ReadonlyMap<string, readonly string[]>
  readonly dynamicImports: ReadonlyMap<string, readonly string[]>
  /** Both static and dynamic imports, from the imported module's side. */
  readonly importers: ReadonlyMap<string, readonly string[]>
}

/** Reads the server's and the browsers' module graphs while they are in the bundler's memory. */
export function clientReferencesPlugin(
  manager: RscPluginManager,
  findNames: FindNames,
  onGraph: (references: ClientReferences) => void,
): Plugin {
  let server = emptyGraph
  let client = emptyGraph
  let serverNames = new Map<string, ResolvedNames>()
  return {
    name: 'waymark:client-references',
    apply: 'build',
    async generateBundle() {
      if (manager.isScanBuild) return
      const { name } = this.environment
      const references = manager.clientReferenceMetaMap
      if (name === 'rsc') {
        server = graphOf(this)
        serverNames = await readImporters(this, { graph: server, references, findNames })
      }
      if (name !== 'client') return
      // Each variant is a build, and its define may remove imports that another variant has.
      client = joinGraphs(client, graphOf(this))
      const graphs = { server, client }
      const namesOf: FindNames = (side, id) =>
        findNames(side, id) ?? (side === 'server' ? (serverNames.get(id) ?? null) : null)
      onGraph(createClientReferences(graphs, references, namesOf))
    },
  }
}

/**
 * Reads the imported names of modules that lead to client components. This includes modules in
 * packages and in the framework, whose names weren't read when the modules were transformed.
 */
async function readImporters(
  context: Rolldown.PluginContext,
  {
    graph,
    references,
    findNames,
  }: {
    readonly graph: ModuleGraph
    readonly references: Readonly<Record<string, unknown>>
    readonly findNames: FindNames
  },
): Promise<Map<string, ResolvedNames>> {
  const read = new Map<string, ResolvedNames>()
  const visited = new Set<string>(Object.keys(references))
  // The loop also visits the ids that it adds to the set.
  for (const id of visited) {
    for (const importer of graph.importers.get(id) ?? []) {
      if (!listsOfAll.test(importer)) visited.add(importer)
    }
    if (Object.hasOwn(references, id) || findNames('server', id)) continue
    const code = context.getModuleInfo(id)?.code
    const names = code ? await readImportedNames(code) : null
    if (names) read.set(id, await resolveNames(context, id, names))
  }
  return read
}

/** Returns the build of the browser's code that has just finished, as plugin-rsc lists it. */
export function readClientBuild(
  { bundles, buildAssetsManifest }: RscPluginManager,
  variant: string | null,
): ClientBuild {
  if (!bundles.client || !buildAssetsManifest) throw new Error("The client wasn't bundled.")
  // Copy what is needed, so that the bundler can free the code of the chunks.
  const files = Object.entries(bundles.client).map(([name, output]) => {
    if (output.type === 'asset') return [name, { type: output.type }]
    const { type, moduleIds, imports } = output
    return [name, { type, moduleIds, imports }]
  })
  return { variant, bundle: Object.fromEntries(files), assets: buildAssetsManifest }
}

export function createClientReferences(
  sides: Readonly<Record<Side, ModuleGraph>>,
  references: ReferenceMap,
  findNames: FindNames,
): ClientReferences {
  const graphs: ImportGraphs = {
    importersOf: (side, id) => sides[side].importers.get(id) ?? [],
    namesOf: findNames,
    isClientReference: (id) => Object.hasOwn(references, id),
  }
  return {
    graphs,
    idleModules: listIdleModules(sides.client),
    *importsOf(moduleId) {
      for (const { imports, dynamicImports } of [sides.server, sides.client]) {
        yield* imports.get(moduleId) ?? []
        yield* dynamicImports.get(moduleId) ?? []
      }
    },
    listReachable(appDir, routeFiles) {
      const findReaching = createFindReaching(graphs, ['server'])
      const reachable: Record<string, string[]> = {}
      for (const [id, { referenceKey, renderedExports }] of Object.entries(references)) {
        const reaching = renderedExports.flatMap((name) => [...findReaching({ id, name })])
        for (const file of new Set(reaching.map((each) => fileBelow(appDir, each)))) {
          if (!routeFiles.has(file)) continue
          reachable[file] = [...(reachable[file] ?? []), referenceKey]
        }
      }
      return reachable
    },
    referencesOf(moduleId) {
      const keys = new Set<string>()
      const visited = new Set<string>()
      const waiting = [moduleId]
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (visited.has(id)) continue
        visited.add(id)
        const reference = references[id]
        if (reference) keys.add(reference.referenceKey)
        else waiting.push(...(sides.server.imports.get(id) ?? []))
      }
      return keys
    },
  }
}

const emptyGraph: ModuleGraph = {
  imports: new Map(),
  dynamicImports: new Map(),
  importers: new Map(),
}

/** Returns a graph with the modules and imports of both graphs. */
export function joinGraphs(a: ModuleGraph, b: ModuleGraph): ModuleGraph {
  return {
    imports: joinLists(a.imports, b.imports),
    dynamicImports: joinLists(a.dynamicImports, b.dynamicImports),
    importers: joinLists(a.importers, b.importers),
  }
}

type Lists = ReadonlyMap<string, readonly string[]>

function joinLists(a: Lists, b: Lists): Lists {
  if (a.size === 0) return b
  const joined = new Map(a)
  for (const [id, list] of b) joined.set(id, [...new Set([...(a.get(id) ?? []), ...list])])
  return joined
}

// Read the graph once, because asking the bundler for each route would take much longer.
function graphOf(context: Rolldown.PluginContext): ModuleGraph {
  const imports = new Map<string, readonly string[]>()
  const dynamicImports = new Map<string, readonly string[]>()
  const importers = new Map<string, readonly string[]>()
  for (const id of context.getModuleIds()) {
    const module = context.getModuleInfo(id)
    imports.set(id, module?.importedIds ?? [])
    dynamicImports.set(id, module?.dynamicallyImportedIds ?? [])
    importers.set(id, [...(module?.importers ?? []), ...(module?.dynamicImporters ?? [])])
  }
  return { imports, dynamicImports, importers }
}
