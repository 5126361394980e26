import { mkdir, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import {
  type BuildManifest,
  buildLayout,
  type RouteManifest,
  type RouteSizes,
} from '../../builds/buildManifest.ts'
import type { PrerenderedManifest } from '../../builds/cachedPage.ts'
import { encodePathname } from '../../http/pathnames.ts'
import { waymarkVersion } from '../../node/appPackages.ts'
import { listFiles } from '../../node/static/manifest.ts'
import { type Precompressed, precompress } from '../../node/static/precompress.ts'
import { internalPrefix } from '../../wire/protocol.ts'
import type { AdapterOutcome } from '../config/hostAdapter.ts'
import {
  describeClientFailures,
  type PrerenderedRoute,
  prerenderApp,
} from '../prerender/prerenderApp.ts'
import { scanRoutes } from '../routes/scanRoutes.ts'
import { describeAppBuild } from './appBuild.ts'
import { writeBuildModule, writeClientAssets } from './buildModule.ts'
import type { Bundle, BundledApp } from './bundledApp.ts'
import { checkByPackages } from './checkByPackages.ts'
import { describeClientFiles, measureRoutes, replaceMeasured } from './clientScripts.ts'
import { keepAssets, keepSourceMaps, previousPath, setBuildAside } from './earlierBuilds.ts'
import { openToWebServers } from './fileModes.ts'
import { checkHost, listUsedFeatures } from './hostFeatures.ts'
import { assertNoLeaks, listServerValues } from './leaks.ts'
import { node } from './nodeAdapter.ts'
import { writeRuntimePackages } from './runtimeFile.ts'
import { describeServer, hashAssets, removeUnusedSecret, routeLists } from './serverBuild.ts'

// Number of pages that are rendered at the same time. Most of the time is spent waiting: for data,
// and half a second for the parts that a shell excludes.
const pageConcurrency = 8
const pageTimeoutMs = 60_000

// Brotli quality for pages. Compared with the highest quality, files are a tenth larger, but
// compressing takes a hundredth of the time, which matters with many pages.
const pageQuality = 6

export async function prepareBuild(buildDir: string): Promise<void> {
  await mkdir(buildDir, { recursive: true })
  // Without this, Node would treat the files as CommonJS if the app's package.json doesn't set the
  // type.
  await writeFile(path.join(buildDir, 'package.json'), '{ "type": "module" }\n')
  setBuildAside(buildDir)
  await rm(path.join(buildDir, buildLayout.pages), { recursive: true, force: true })
}

export async function finishBuild(app: BundledApp): Promise<void> {
  const { builder, reporter, options, assetsFrom } = app
  const { buildDir, keepBuilds } = options
  const inBuild = (file: string) => path.join(buildDir, file)
  const clientDir = inBuild(buildLayout.client)
  const tree = await scanRoutes(options.appDir)
  const serverDir = path.dirname(inBuild(buildLayout.serverEntry))
  const serverBuild = await describeServer(tree, app)
  const { buildId } = serverBuild
  await writeBuildModule(serverDir, serverBuild)
  const hashes = options.hasIntegrity ? await hashAssets(clientDir, builder.config.base) : {}
  const assets = { integrity: hashes, ...describeClientFiles(app) }
  await writeClientAssets([inBuild('rsc'), inBuild('ssr')], assets)

  reporter.step('Prerendering')
  const outcome = await prerenderApp({
    job: {
      entry: inBuild(buildLayout.serverEntry),
      folder: inBuild(buildLayout.pages),
      folderName: buildLayout.pages,
      concurrency: pageConcurrency,
      publicFiles: listFiles(clientDir)
        .map((file) => encodePathname(`/${file}`))
        .filter((pathname) => !pathname.startsWith(internalPrefix)),
    },
    pageTimeoutMs,
    onProgress: reporter.progress,
    onOutput: reporter.output,
    onDetail: reporter.detail,
  })
  await writeBuildModule(serverDir, { ...serverBuild, ...routeLists(outcome) })
  const { routes: _routes, isProxied, hasOwnStores, clientFailures, ...pages } = outcome
  const prerendered: PrerenderedManifest = { version: 1, ...pages }
  await writeFile(inBuild(buildLayout.prerendered), JSON.stringify(prerendered))
  await searchForLeaks(app)
  const problems = await checkByPackages(tree, { ...app, actions: serverBuild.actions }, outcome)
  // Prerendering used the source maps for the stacks of failed pages, so move them only now.
  await keepSourceMaps(buildDir, buildId)

  reporter.step('Compressing')
  await compress(app)
  await keepAssets({ buildDir, buildId, keepBuilds, assetsFrom })
  await openToWebServers(buildDir)
  await removeUnusedSecret(buildDir, serverBuild.secret)

  const facts = describeBuild(app, {
    buildId,
    isProxied,
    routes: describeRoutes(
      outcome.routes,
      measureRoutes(tree, app, { ...serverBuild, ...outcome }),
    ),
  })
  const { hosting, warnings, host } = await adaptBuild(app, { facts, hasOwnStores })
  const manifest: BuildManifest = { ...facts, host }
  await writeFile(inBuild(buildLayout.facts), `${JSON.stringify(manifest, null, 2)}\n`)
  reporter.finish(manifest, {
    ...describeClientFailures(clientFailures, options.root),
    before: await replaceMeasured(buildDir, manifest.routes),
    problems: [...problems, ...warnings],
    hosting,
  })
}

type BuildFacts = Omit<BuildManifest, 'host'>

type AdaptedBuild = Pick<BuildManifest, 'host'> & {
  readonly hosting: AdapterOutcome
  readonly warnings: readonly string[]
}

async function adaptBuild(
  { options, references, reporter }: BundledApp,
  { facts, hasOwnStores }: { readonly facts: BuildFacts; readonly hasOwnStores: boolean },
): Promise<AdaptedBuild> {
  const { root, buildDir, basePath, trailingSlash, security, packages, allowMissing } = options
  const adapter = options.adapter ?? node()
  reporter.step(`Writing for ${adapter.name}`)
  const usedFeatures = listUsedFeatures({ root, packages, graphs: references.graphs, facts })
  const defaultHeaders = security.headers
  const described = {
    root,
    buildDir,
    basePath,
    trailingSlash,
    defaultHeaders,
    manifest: facts,
    usedFeatures,
  }
  const build = describeAppBuild(described)
  await writeRuntimePackages(packages, build)
  const hasStores = hasOwnStores || build.stores !== null
  const warnings = checkHost({ adapter, used: usedFeatures, allowMissing, hasStores })
  const { name, lacks = [] } = adapter
  const host = { name, lacks: lacks.filter((each) => !(hasStores && each === 'sharedState')) }
  return { hosting: await adapter.write(build), warnings, host }
}

async function compress({ options: { buildDir }, reporter }: BundledApp): Promise<void> {
  const { client, pages } = buildLayout
  const counts = [
    await precompress(path.join(buildDir, client), { earlier: previousPath(buildDir, client) }),
    await precompress(path.join(buildDir, pages), {
      brotliQuality: pageQuality,
      earlier: previousPath(buildDir, pages),
    }),
  ]
  const sum = (name: keyof Precompressed) => counts.reduce((total, each) => total + each[name], 0)
  reporter.detail(
    `${sum('written')} files compressed, ${sum('reused')} reused from the previous build`,
  )
}

type BundledFacts = Pick<BuildManifest, 'buildId' | 'routes'> & { readonly isProxied: boolean }

function describeBuild(
  { builder, manager, nativePackages, absentPackages }: BundledApp,
  { buildId, routes, isProxied }: BundledFacts,
): BuildFacts {
  const hasActions = manager.serverReferences.metaMap.size > 0
  return {
    version: 1,
    waymark: waymarkVersion(),
    buildId,
    mode: builder.config.mode,
    routes,
    serverFeatures: [
      ...(hasActions ? ['server actions'] : []),
      ...(isProxied ? ['proxy.ts, or around() in server.ts'] : []),
    ],
    externals: findExternals(
      { ...manager.bundles.rsc, ...manager.bundles.ssr },
      nativePackages,
    ).filter((name) => !absentPackages.includes(name)),
  }
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

function describeRoutes(
  routes: readonly PrerenderedRoute[],
  sizes: ReadonlyMap<string, RouteSizes>,
): RouteManifest[] {
  return routes.map(({ pattern, kind, file, pathnames, onlyPathnames, ...how }) => {
    const { isPartial, revalidateSeconds, dynamicReason } = how
    return {
      pattern,
      kind,
      file,
      sizes: kind === 'route' ? null : (sizes.get(file) ?? null),
      rendersOthers: onlyPathnames === null && pattern.includes('['),
      rendering:
        dynamicReason === null
          ? { kind: isPartial ? 'partial' : 'static', count: pathnames.length, revalidateSeconds }
          : { kind: 'dynamic', reason: dynamicReason },
    }
  })
}

/**
 * Finds the packages that a server bundle imports and that must therefore be installed on the server.
 *
 * @param required packages that CommonJS code may require, which bundles don't list
 */
export function findExternals(
  bundle: Bundle<'imports' | 'dynamicImports' | 'code'>,
  required: readonly string[] = [],
): string[] {
  const externals = new Set<string>()
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue
    // Rolldown also lists imports that it removed together with unused code.
    const isInCode = (name: string) => containsName(output.code, name)
    for (const name of [...output.imports, ...output.dynamicImports].filter(isInCode)) {
      const isInBuild = name in bundle || /^(?:\.{0,2}\/|virtual:)/.test(name)
      if (!isInBuild && !isBuiltin(name)) externals.add(name)
    }
    for (const name of required.filter(isInCode)) externals.add(name)
  }
  externals.delete(drawing)
  return [...externals].sort()
}

/** True if the code contains a string that names the package, or one of the package's modules. */
function containsName(code: string, name: string): boolean {
  return ['"', "'", '`'].some((quote) =>
    [quote, '/'].some((end) => code.includes(`${quote}${name}${end}`)),
  )
}

// ImageResponse loads this package for its first image. Without it, only ImageResponse fails, so it
// isn't required.
const drawing = '@takumi-rs/core'
