import path from 'node:path'
import { getPluginApi } from '@vitejs/plugin-rsc'
import type { Plugin, ViteBuilder } from 'vite'
import type { BuildFacts } from '../../shared/build.ts'
import type { ResolvedOptions } from '../options.ts'
import { createBuildId } from './buildId.ts'
import { bundleApp } from './bundleApp.ts'
import { waymarkVersion, writeBuildFacts } from './facts.ts'

/** Hears how a build goes. */
export type BuildReporter = {
  /** A step begins, and the one before is done. */
  step(text: string): void
  /** How far the step is. */
  progress(text: string): void
  /** The build is done. */
  finish(facts: BuildFacts): void
}

/** Builds the app when Vite is asked to: bundles, prerendered pages, facts. */
export function buildPlugin(app: {
  readonly reporter: BuildReporter | null
  options(): ResolvedOptions
}): Plugin {
  return {
    name: 'waymark:build',
    async buildApp(builder) {
      const reporter = app.reporter ?? loggingReporter(builder)
      const { manager } = pluginRscOf(builder)
      const { buildDir } = app.options()
      await bundleApp(builder, manager, reporter)
      const folders = ['client', 'rsc', 'ssr'].map((name) => path.join(buildDir, name))
      const facts: BuildFacts = {
        version: 1,
        waymark: waymarkVersion(),
        buildId: await createBuildId(folders),
        mode: builder.config.mode,
        routes: [],
      }
      await writeBuildFacts(buildDir, facts)
      reporter.finish(facts)
    },
  }
}

function pluginRscOf(builder: ViteBuilder) {
  const api = getPluginApi(builder.config)
  if (!api) throw new Error('plugin-rsc is missing from the plugins that waymark() made.')
  return api
}

function loggingReporter({ config }: ViteBuilder): BuildReporter {
  const print = (text: string) => config.logger.info(text)
  return { step: print, progress: () => {}, finish: () => {} }
}
