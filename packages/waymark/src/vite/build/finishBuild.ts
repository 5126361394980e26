import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { ViteBuilder } from 'vite'
import { precompress } from '../../node/precompress.ts'
import type { RouteTree } from '../../routing/routeNode.ts'
import {
  type BuildFacts,
  buildLayout,
  type RouteFacts,
  type ServerBuild,
} from '../../shared/build.ts'
import type { PrerenderedManifest } from '../../shared/prerendered.ts'
import type { ResolvedOptions } from '../options.ts'
import type { PrerenderedRoute, PrerenderOutcome } from '../prerender/messages.ts'
import { prerenderApp } from '../prerender/prerenderApp.ts'
import { routeFilesOf, scanRoutes } from '../routes/scan.ts'
import { createBuildId } from './buildId.ts'
import { writeBuildModule } from './buildModule.ts'
import { countClientBytes, textsOf } from './clientBytes.ts'
import type { ClientReferences } from './clientReferences.ts'
import { waymarkVersion, writeBuildFacts } from './facts.ts'
import type { BuildReporter } from './reporter.ts'
import { findStylesheets } from './stylesheets.ts'

/** What comes after the bundles. */
export type FinishOptions = {
  readonly builder: ViteBuilder
  readonly reporter: BuildReporter
  readonly references: ClientReferences
  readonly manager: RscPluginManager
  readonly options: ResolvedOptions
}

const pagesAtOnce = 2
const pageTimeoutMs = 60_000

/** Prerenders the static pages, compresses what is served from files, and writes the facts. */
export async function finishBuild(parts: FinishOptions): Promise<void> {
  const { builder, reporter, options } = parts
  const { buildDir } = options
  const tree = await scanRoutes(options.appDir)
  const serverDir = path.dirname(path.join(buildDir, buildLayout.serverEntry))
  const serverBuild = await describeServer(tree, parts)
  await writeBuildModule(serverDir, serverBuild)
  reporter.step('Prerendering')
  const outcome = await prerenderPages(buildDir, reporter)
  await writeBuildModule(serverDir, { ...serverBuild, closedRoutes: closedRoutes(outcome) })
  await writeManifest(buildDir, outcome)
  reporter.step('Compressing')
  await precompress(path.join(buildDir, buildLayout.client))
  await precompress(path.join(buildDir, buildLayout.pages), { brotliQuality: pageQuality })
  const facts: BuildFacts = {
    version: 1,
    waymark: waymarkVersion(),
    buildId: serverBuild.buildId,
    mode: builder.config.mode,
    routes: describeRoutes(outcome, tree, parts),
    serverFeatures: serverFeatures(outcome, parts),
  }
  await writeBuildFacts(buildDir, facts)
  reporter.finish(facts)
}

// A tenth larger than at the highest, in a hundredth of the time: there may be many pages.
const pageQuality = 6

async function describeServer(
  tree: RouteTree,
  { builder, manager, references, options: { appDir, buildDir } }: FinishOptions,
): Promise<ServerBuild> {
  const folders = ['client', 'rsc', 'ssr'].map((name) => path.join(buildDir, name))
  const { rsc } = manager.bundles
  if (!rsc) throw new Error('The server was not bundled.')
  const { base } = builder.config
  const deps = assetsOf(manager).clientReferenceDeps
  const stylesheets = findStylesheets({
    bundle: rsc,
    files: routeFilesOf(tree),
    appDir,
    base,
    clientStylesOf: (id) =>
      [...references.referencesOf(id)].flatMap((key) => textsOf(deps[key]?.css)),
  })
  return { buildId: await createBuildId(folders), stylesheets, closedRoutes: {} }
}

function prerenderPages(buildDir: string, reporter: BuildReporter): Promise<PrerenderOutcome> {
  return prerenderApp({
    job: {
      entry: path.join(buildDir, buildLayout.serverEntry),
      folder: path.join(buildDir, buildLayout.pages),
      folderName: buildLayout.pages,
      concurrency: pagesAtOnce,
    },
    pageTimeoutMs,
    onProgress: reporter.progress,
    onOutput: reporter.output,
  })
}

function closedRoutes({ routes }: PrerenderOutcome): NonNullable<ServerBuild['closedRoutes']> {
  return Object.fromEntries(
    routes.flatMap(({ pattern, onlyPathnames }) => {
      const isOpen = onlyPathnames === null || !pattern.includes('[')
      return isOpen ? [] : [[pattern, onlyPathnames]]
    }),
  )
}

async function writeManifest(
  buildDir: string,
  { files, notFound, isProxied }: PrerenderOutcome,
): Promise<void> {
  const manifest: PrerenderedManifest = { version: 1, isProxied, files, notFound }
  await writeFile(path.join(buildDir, buildLayout.prerendered), JSON.stringify(manifest))
}

function describeRoutes(
  { routes }: PrerenderOutcome,
  tree: RouteTree,
  { builder, references, manager, options: { appDir, buildDir } }: FinishOptions,
): RouteFacts[] {
  const assets = assetsOf(manager)
  const clientDir = path.join(buildDir, buildLayout.client)
  const { base } = builder.config
  const bytes = countClientBytes({ tree, appDir, references, assets, clientDir, base })
  return routes.map((route) => describeRoute(route, bytes.get(route.file) ?? null))
}

function assetsOf({ buildAssetsManifest }: RscPluginManager) {
  if (!buildAssetsManifest) throw new Error('The client was not bundled.')
  return buildAssetsManifest
}

function serverFeatures(
  { isProxied }: PrerenderOutcome,
  { manager }: FinishOptions,
): readonly string[] {
  const hasActions = manager.serverReferences.metaMap.size > 0
  return [...(hasActions ? ['server actions'] : []), ...(isProxied ? ['proxy.ts'] : [])]
}

function describeRoute(route: PrerenderedRoute, clientBytes: number | null): RouteFacts {
  const { pattern, kind, file, dynamicReason, revalidateSeconds, pathnames, onlyPathnames } = route
  return {
    pattern,
    kind,
    file,
    clientBytes,
    answersOthers: onlyPathnames === null && pattern.includes('['),
    rendering:
      dynamicReason === null
        ? { kind: 'static', count: pathnames.length, revalidateSeconds }
        : { kind: 'dynamic', reason: dynamicReason },
  }
}
