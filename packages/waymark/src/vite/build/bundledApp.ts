import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { Plugin, Rolldown, ViteBuilder } from 'vite'
import type { BuildManifest, MeasuredRoute } from '../../builds/buildManifest.ts'
import type { AdapterOutcome } from '../config/hostAdapter.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import type { DescribedFailures } from '../prerender/prerenderApp.ts'
import type { FindNames, ImportGraphs, Side } from '../routes/actionReachability.ts'

export type BundledApp = {
  readonly builder: ViteBuilder
  readonly reporter: BuildReporter
  readonly references: ClientReferences
  readonly manager: RscPluginManager
  readonly options: ResolvedOptions
  /** Packages with machine code that its server imports. */
  readonly nativePackages: readonly string[]
  /** Packages that others load if they are installed, and that are not. */
  readonly absentPackages: readonly string[]
  /** What became of each change to other packages' text. */
  readonly patches: BuildManifest['patches']
  readonly assetsFrom: string | null
}

/** A bundle by the names of its files, with the members of chunks that are read. */
export type Bundle<Members extends keyof Rolldown.OutputChunk> = Readonly<
  Record<
    string,
    { readonly type: 'asset' } | Readonly<Pick<Rolldown.OutputChunk, 'type' | Members>>
  >
>

export type BuildReporter = {
  step(text: string): void
  progress(text: string): void
  /** Says what the step did, in case it takes longer than all others together. */
  detail(text: string): void
  /** What the app's own code prints while it is rendered. */
  output(text: string): void
  finish(manifest: BuildManifest, outcome: BuildOutcome): void
}

/** What is to be said of a build beside its manifest. */
export type BuildOutcome = DescribedFailures & {
  readonly before: readonly MeasuredRoute[] | null
  /** Says how the adapter's host serves the build. */
  readonly hosting: AdapterOutcome
}

export type ClientReferences = {
  /** @returns the keys of the client references that a module imports, itself or further down */
  referencesOf(moduleId: string): ReadonlySet<string>
  /** Which module imports which. */
  readonly graphs: ImportGraphs
}

export type ModuleGraph = {
  readonly imports: ReadonlyMap<string, readonly string[]>
  readonly importers: ReadonlyMap<string, readonly string[]>
}

/** Reads the module graphs of the server and of browsers while the bundler has them. */
export function clientReferencesPlugin(
  manager: RscPluginManager,
  findNames: FindNames,
  onGraph: (references: ClientReferences) => void,
): Plugin {
  let server: ModuleGraph = { imports: new Map(), importers: new Map() }
  return {
    name: 'waymark:client-references',
    apply: 'build',
    generateBundle() {
      if (manager.isScanBuild) return
      const { name } = this.environment
      if (name === 'rsc') server = graphOf(this)
      if (name !== 'client') return
      const graphs = { server, client: graphOf(this) }
      onGraph(createClientReferences(graphs, manager.clientReferenceMetaMap, findNames))
    },
  }
}

/** The client's files as plugin-rsc lists them after the client's build. */
export function clientAssetsOf({ buildAssetsManifest }: RscPluginManager) {
  if (!buildAssetsManifest) throw new Error('The client was not bundled.')
  return buildAssetsManifest
}

export function createClientReferences(
  sides: Readonly<Record<Side, ModuleGraph>>,
  references: Readonly<Record<string, { readonly referenceKey: string }>>,
  findNames: FindNames,
): ClientReferences {
  return {
    graphs: {
      importersOf: (side, id) => sides[side].importers.get(id) ?? [],
      namesOf: findNames,
      isClientReference: (id) => Object.hasOwn(references, id),
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

// Read once: asking the bundler again for every route would take far longer.
function graphOf(context: Rolldown.PluginContext): ModuleGraph {
  const imports = new Map<string, readonly string[]>()
  const importers = new Map<string, readonly string[]>()
  for (const id of context.getModuleIds()) {
    const module = context.getModuleInfo(id)
    imports.set(id, module?.importedIds ?? [])
    importers.set(id, [...(module?.importers ?? []), ...(module?.dynamicImporters ?? [])])
  }
  return { imports, importers }
}
