import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import path, { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { build } from 'vite'
import { precompress } from '../../node/static/precompress.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import { type BuildManifest, buildLayout, type RouteManifest } from '../../shared/buildManifest.ts'
import type { PrerenderedManifest } from '../../shared/cachedPage.ts'
import type { PrerenderedRoute, PrerenderOutcome } from '../prerender/messages.ts'
import { prerenderApp } from '../prerender/prerenderApp.ts'
import { scanRoutes } from '../routes/scanRoutes.ts'
import { writeBuildModule, writeIntegrityModule } from './buildModule.ts'
import type { BuildReporter, BundledApp } from './bundledApp.ts'
import { clientScriptsOf, countClientBytes, listBootFiles } from './clientScripts.ts'
import { hashAssets, keepAssets } from './keepAssets.ts'
import { takeSourceMaps } from './keepSourceMaps.ts'
import { assertNoLeaks, listServerValues } from './leaks.ts'
import { closedRoutes, describeServer, partialRoutes, staticRoutes } from './serverBuild.ts'

const pagesAtOnce = 2
const pageTimeoutMs = 60_000

// A tenth larger than at the highest, in a hundredth of the time: there may be many pages.
const pageQuality = 6

/** Prerenders the static pages, compresses what is served from files, and writes the facts. */
export async function finishBuild(parts: BundledApp): Promise<void> {
  const { builder, reporter, options, manager } = parts
  const { buildDir } = options
  const tree = await scanRoutes(options.appDir)
  const serverDir = path.dirname(path.join(buildDir, buildLayout.serverEntry))
  const serverBuild = await describeServer(tree, parts)
  const { buildId } = serverBuild
  await writeBuildModule(serverDir, serverBuild)
  await writeIntegrity(parts)
  reporter.step('Prerendering')
  const outcome = await prerenderPages(buildDir, reporter)
  const routes = {
    closedRoutes: closedRoutes(outcome),
    staticRoutes: staticRoutes(outcome),
    partialRoutes: partialRoutes(outcome),
  }
  await writeBuildModule(serverDir, { ...serverBuild, ...routes })
  await writeManifest(buildDir, outcome)
  await searchForLeaks(parts)
  // Only now: the stacks of pages that could not be prerendered were read with them.
  await (await takeSourceMaps(buildDir)).keepFor(buildId)
  await writeProgram(buildDir)
  reporter.step('Compressing')
  await precompress(path.join(buildDir, buildLayout.client))
  await precompress(path.join(buildDir, buildLayout.pages), { brotliQuality: pageQuality })
  const { keepBuilds } = options
  await keepAssets({ buildDir, buildId, keepBuilds, assetsFrom: parts.assetsFrom })
  const facts: BuildManifest = {
    version: 1,
    waymark: waymarkVersion(),
    buildId,
    mode: builder.config.mode,
    routes: describeRoutes(outcome, tree, parts),
    serverFeatures: serverFeatures(outcome, manager),
    externals: findExternals({ ...manager.bundles.rsc, ...manager.bundles.ssr }),
  }
  await writeBuildManifest(buildDir, facts)
  reporter.finish(facts)
}

async function writeIntegrity({ builder, options }: BundledApp): Promise<void> {
  const { buildDir, hasIntegrity } = options
  const clientDir = path.join(buildDir, buildLayout.client)
  const hashes = hasIntegrity ? await hashAssets(clientDir, builder.config.base) : {}
  const dirs = ['rsc', 'ssr'].map((name) => path.join(buildDir, name))
  await writeIntegrityModule(dirs, hashes)
}

function searchForLeaks({ builder, options }: BundledApp): Promise<void> {
  const { envDir, envPrefix = [], mode } = builder.config
  const values = listServerValues({
    env: process.env,
    envDir: envDir || null,
    mode,
    publicPrefixes: [envPrefix].flat(),
    publicNames: options.publicEnv,
  })
  const folderOf = (name: string) => path.join(options.buildDir, name)
  const folders = [
    { folder: folderOf(buildLayout.client), holdsPages: false },
    { folder: folderOf(buildLayout.pages), holdsPages: true },
  ]
  return assertNoLeaks(folders, values)
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

async function writeManifest(
  buildDir: string,
  { files, shells, notFound, isProxied }: PrerenderOutcome,
): Promise<void> {
  const manifest: PrerenderedManifest = { version: 1, isProxied, files, shells, notFound }
  await writeFile(path.join(buildDir, buildLayout.prerendered), JSON.stringify(manifest))
}

/** Writes what a build says about itself. */
export async function writeBuildManifest(buildDir: string, facts: BuildManifest): Promise<void> {
  await writeFile(path.join(buildDir, buildLayout.facts), `${JSON.stringify(facts, null, 2)}\n`)
}

/** Takes back what an earlier build says about itself. */
export async function removeBuildManifest(buildDir: string): Promise<void> {
  await rm(path.join(buildDir, buildLayout.facts), { force: true })
}

/** The version of this package. */
export function waymarkVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/**
 * Says that the files of a build are ES modules: below an app whose package.json does not, Node
 * would take them for CommonJS.
 * @param buildDir absolute; made when it is missing
 */
export async function markAsModules(buildDir: string): Promise<void> {
  await mkdir(buildDir, { recursive: true })
  await writeFile(path.join(buildDir, 'package.json'), '{ "type": "module" }\n')
}

const entry = fileURLToPath(new URL('../../cli/standalone.js', import.meta.url))

/**
 * Writes the program that serves a build where nothing is installed: `waymark start`, in one file.
 * @param buildDir absolute
 */
export async function writeProgram(buildDir: string): Promise<void> {
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    root: dirname(entry),
    build: {
      ssr: entry,
      outDir: buildDir,
      emptyOutDir: false,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        experimental: { attachDebugInfo: 'none' },
        output: { entryFileNames: buildLayout.program, codeSplitting: false },
      },
    },
    ssr: { noExternal: true },
  })
}

/** Describes what became of the routes. */
export function describeRoutes(
  { routes }: PrerenderOutcome,
  tree: RouteTree,
  { builder, references, manager, options: { appDir, buildDir } }: BundledApp,
): RouteManifest[] {
  const clientDir = path.join(buildDir, buildLayout.client)
  const { base } = builder.config
  const scripts = clientScriptsOf(manager)
  const entry = listBootFiles(manager.bundles.client ?? {}).entry.map((name) => base + name)
  const bytes = countClientBytes({ tree, appDir, references, scripts, entry, clientDir, base })
  return routes.map((route) => describeRoute(route, bytes.get(route.file) ?? null))
}

/** Names what an app needs a server for besides its dynamic routes. */
export function serverFeatures(
  { isProxied }: PrerenderOutcome,
  { serverReferences }: RscPluginManager,
): string[] {
  const hasActions = serverReferences.metaMap.size > 0
  return [
    ...(hasActions ? ['server actions'] : []),
    ...(isProxied ? ['proxy.ts, or around() in server.ts'] : []),
  ]
}

function describeRoute(route: PrerenderedRoute, clientBytes: number | null): RouteManifest {
  const { pattern, kind, file, pathnames, onlyPathnames } = route
  const { dynamicReason, isPartial, revalidateSeconds } = route
  return {
    pattern,
    kind,
    file,
    clientBytes,
    answersOthers: onlyPathnames === null && pattern.includes('['),
    rendering:
      dynamicReason === null
        ? { kind: isPartial ? 'partial' : 'static', count: pathnames.length, revalidateSeconds }
        : { kind: 'dynamic', reason: dynamicReason },
  }
}

/** What is looked at of a bundle's output. */
export type ImportingOutput =
  | { readonly type: 'asset' }
  | {
      readonly type: 'chunk'
      readonly imports: readonly string[]
      readonly dynamicImports: readonly string[]
    }

/**
 * Finds the packages that a server bundle imports instead of holding them: they have to be
 * installed where it runs.
 * @returns sorted, each once
 */
export function findExternals(bundle: Readonly<Record<string, ImportingOutput>>): string[] {
  const found = new Set<string>()
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue
    for (const name of [...output.imports, ...output.dynamicImports]) {
      // Virtual modules are files beside the bundle, once they are written.
      const isOwn = name in bundle || /^(?:\.{0,2}\/|virtual:)/.test(name)
      if (!isOwn && !isBuiltin(name)) found.add(name)
    }
  }
  return [...found].sort()
}
