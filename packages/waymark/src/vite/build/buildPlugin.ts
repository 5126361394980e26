import { getPluginApi, type RscPluginManager } from '@vitejs/plugin-rsc'
import type { Plugin, ViteBuilder } from 'vite'
import type { FindNames } from '../actions/importedNamesPlugin.ts'
import type { ResolvedOptions } from '../options.ts'
import { buildModulePlugin } from './buildModule.ts'
import { bundleApp } from './bundleApp.ts'
import { type ClientReferences, clientReferencesPlugin } from './clientReferences.ts'
import { removeBuildManifest } from './facts.ts'
import { finishBuild } from './finishBuild.ts'
import { setAssetsAside } from './keepAssets.ts'
import { markAsModules } from './markAsModules.ts'
import { moduleNamesPlugin } from './moduleNames.ts'
import { preloadHelperPlugin } from './preloadHelperPlugin.ts'
import { reactBrowserPlugin } from './reactBrowserPlugin.ts'
import { replyEncoderPlugin } from './replyEncoderPlugin.ts'
import type { BuildReporter } from './reporter.ts'

/** What a build needs of the plugin. */
export type BuildApp = {
  readonly reporter: BuildReporter | null
  /** The folder of another build, whose assets the new one keeps. */
  readonly assetsFrom: string | null
  readonly findNames: FindNames
  options(): ResolvedOptions
}

/** Builds the app when Vite is asked to: bundles, prerendered pages, facts. */
export function buildPlugin(app: BuildApp): Plugin[] {
  let manager: RscPluginManager | null = null
  let references: ClientReferences | null = null
  const managerOf = () => {
    if (!manager) throw new Error('plugin-rsc is missing from the plugins that waymark() made.')
    return manager
  }
  return [
    {
      name: 'waymark:build',
      configResolved(config) {
        manager = getPluginApi(config)?.manager ?? null
      },
      async buildApp(builder) {
        const reporter = app.reporter ?? loggingReporter(builder)
        const manager = managerOf()
        const { buildDir } = app.options()
        await markAsModules(buildDir)
        // A build that fails must not be taken for the one before.
        await removeBuildManifest(buildDir)
        await setAssetsAside(buildDir)
        await bundleApp(builder, manager, reporter)
        if (!references) throw new Error('The server was bundled, and its modules were not read.')
        const { assetsFrom } = app
        const options = app.options()
        await finishBuild({ builder, reporter, references, manager, options, assetsFrom })
      },
    },
    moduleNamesPlugin(managerOf),
    buildModulePlugin(),
    preloadHelperPlugin(),
    reactBrowserPlugin(),
    replyEncoderPlugin(),
    clientReferencesPlugin(managerOf, app.findNames, (read) => {
      references = read
    }),
  ]
}

function loggingReporter({ config }: ViteBuilder): BuildReporter {
  const print = (text: string) => config.logger.info(text)
  return { step: print, progress: () => {}, output: print, finish: () => {} }
}
