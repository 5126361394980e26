import { getPluginApi, type RscPluginManager } from '@vitejs/plugin-rsc'
import type { Plugin, ViteBuilder } from 'vite'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import {
  preloadHelperPlugin,
  reactBrowserPlugin,
  replyEncoderPlugin,
} from '../config/reactPatches.ts'
import type { FindNames } from '../routes/actionReachability.ts'
import { buildModulePlugin } from './buildModule.ts'
import type { BuildReporter } from './bundledApp.ts'
import { type ClientReferences, clientReferencesPlugin } from './clientReferences.ts'
import { takeClientScripts } from './clientScripts.ts'
import { finishBuild, markAsModules, removeBuildManifest } from './finishBuild.ts'
import { setAssetsAside } from './keepAssets.ts'
import { moduleNamesPlugin, sortClientReferences, sortServerReferences } from './stableNames.ts'

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

/**
 * Bundles the three environments, in the order that plugin-rsc needs: what is client code is
 * known once the server has been read, and what is an action once the client has been.
 */
export async function bundleApp(
  builder: ViteBuilder,
  manager: RscPluginManager,
  reporter: BuildReporter,
): Promise<void> {
  const { rsc, ssr, client } = environmentsOf(builder)
  reporter.step('Reading the app')
  manager.isScanBuild = true
  setWrites([rsc, ssr], false)
  await builder.build(rsc)
  await builder.build(ssr)
  manager.isScanBuild = false
  sortServerReferences(manager)
  setWrites([rsc, ssr], true)
  reporter.step('Bundling the server')
  await builder.build(rsc)
  manager.stabilize()
  sortClientReferences(manager)
  reporter.step('Bundling for browsers')
  await builder.build(client)
  reporter.step('Bundling the renderer')
  await builder.build(ssr)
  takeClientScripts(manager, client.config.base)
  manager.writeAssetsManifest(['ssr', 'rsc'])
  manager.writeEnvironmentImportsManifest()
}

type Environment = ViteBuilder['environments'][string]

function environmentsOf({ environments }: ViteBuilder) {
  const { rsc, ssr, client } = environments
  if (!rsc || !ssr || !client) throw new Error('waymark() configures three environments.')
  return { rsc, ssr, client }
}

function setWrites(environments: readonly Environment[], isWritten: boolean): void {
  for (const { config } of environments) config.build.write = isWritten
}
