import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { precompress } from '../../node/precompress.ts'
import { type BuildManifest, buildLayout } from '../../shared/build.ts'
import type { PrerenderedManifest } from '../../shared/prerendered.ts'
import type { PrerenderOutcome } from '../prerender/messages.ts'
import { prerenderApp } from '../prerender/prerenderApp.ts'
import { scanRoutes } from '../routes/scan.ts'
import { writeBuildModule, writeIntegrityModule } from './buildModule.ts'
import type { BundledApp } from './bundledApp.ts'
import { findExternals } from './externals.ts'
import { waymarkVersion, writeBuildManifest } from './facts.ts'
import { hashAssets } from './integrity.ts'
import { keepAssets } from './keepAssets.ts'
import { takeSourceMaps } from './keepSourceMaps.ts'
import { assertNoLeaks } from './leaks.ts'
import type { BuildReporter } from './reporter.ts'
import { describeRoutes, serverFeatures } from './routeFacts.ts'
import { closedRoutes, describeServer, partialRoutes, staticRoutes } from './serverBuild.ts'
import { listServerValues } from './serverValues.ts'
import { writeProgram } from './writeProgram.ts'

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
