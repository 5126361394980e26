import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { ViteBuilder } from 'vite'
import { precompress } from '../../node/precompress.ts'
import { type BuildFacts, buildLayout, type RouteFacts } from '../../shared/build.ts'
import type { PrerenderedManifest } from '../../shared/prerendered.ts'
import type { ResolvedOptions } from '../options.ts'
import type { PrerenderedRoute, PrerenderOutcome } from '../prerender/messages.ts'
import { prerenderApp } from '../prerender/prerenderApp.ts'
import { scanRoutes } from '../routes/scan.ts'
import { createBuildId } from './buildId.ts'
import type { BuildReporter } from './buildPlugin.ts'
import { countClientBytes } from './clientBytes.ts'
import type { ClientReferences } from './clientReferences.ts'
import { waymarkVersion, writeBuildFacts } from './facts.ts'

/** What comes after the bundles. */
export type FinishOptions = {
  readonly builder: ViteBuilder
  readonly reporter: BuildReporter
  readonly references: ClientReferences
  readonly assets: NonNullable<RscPluginManager['buildAssetsManifest']>
  readonly options: ResolvedOptions
}

const pagesAtOnce = 2
const pageTimeoutMs = 60_000

/** Prerenders the static pages, compresses what is served from files, and writes the facts. */
export async function finishBuild(parts: FinishOptions): Promise<void> {
  const { builder, reporter, options } = parts
  const { buildDir } = options
  const folders = ['client', 'rsc', 'ssr'].map((name) => path.join(buildDir, name))
  const buildId = await createBuildId(folders)
  reporter.step('Prerendering')
  const outcome = await prerenderApp({
    job: {
      entry: path.join(buildDir, buildLayout.serverEntry),
      folder: path.join(buildDir, buildLayout.pages),
      folderName: buildLayout.pages,
      concurrency: pagesAtOnce,
    },
    pageTimeoutMs,
    onProgress: (done, total) => reporter.progress(`${done} of ${total} pages`),
    onOutput: reporter.output,
  })
  await writeManifest(buildDir, outcome)
  reporter.step('Compressing')
  await precompress(path.join(buildDir, buildLayout.client))
  await precompress(path.join(buildDir, buildLayout.pages))
  const facts: BuildFacts = {
    version: 1,
    waymark: waymarkVersion(),
    buildId,
    mode: builder.config.mode,
    routes: await describeRoutes(outcome, parts),
  }
  await writeBuildFacts(buildDir, facts)
  reporter.finish(facts)
}

async function writeManifest(
  buildDir: string,
  { files, notFound, isProxied }: PrerenderOutcome,
): Promise<void> {
  const manifest: PrerenderedManifest = { version: 1, isProxied, files, notFound }
  await writeFile(path.join(buildDir, buildLayout.prerendered), JSON.stringify(manifest))
}

async function describeRoutes(
  { routes }: PrerenderOutcome,
  { builder, references, assets, options: { appDir, buildDir } }: FinishOptions,
): Promise<RouteFacts[]> {
  const bytes = countClientBytes({
    tree: await scanRoutes(appDir),
    appDir,
    references,
    assets,
    clientDir: path.join(buildDir, buildLayout.client),
    base: builder.config.base,
  })
  return routes.map((route) => describeRoute(route, bytes.get(route.file) ?? null))
}

function describeRoute(route: PrerenderedRoute, clientBytes: number | null): RouteFacts {
  const { pattern, kind, file, dynamicReason, revalidateSeconds, pathnames } = route
  return {
    pattern,
    kind,
    file,
    clientBytes,
    rendering:
      dynamicReason === null
        ? { kind: 'static', count: pathnames.length, revalidateSeconds }
        : { kind: 'dynamic', reason: dynamicReason },
  }
}
