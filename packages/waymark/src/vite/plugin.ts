import react from '@vitejs/plugin-react'
import rsc from '@vitejs/plugin-rsc'
import type { PluginOption } from 'vite'
import { buildPlugin } from './build/buildPlugin.ts'
import type { BuildReporter } from './build/bundledApp.ts'
import { integrityPlugin } from './build/keepAssets.ts'
import { entries, environmentsPlugin } from './config/environments.ts'
import {
  type ResolvedOptions,
  resolveOptions,
  type WaymarkOptions,
} from './config/pluginOptions.ts'
import {
  boundArgsPlugin,
  fizzTextPlugin,
  quietPlugin,
  reactServerDomPlugin,
  renderLifetimePlugin,
} from './config/reactPatches.ts'
import { bundlesPlugin, overlayPlugin } from './dev/bundlesPlugin.ts'
import { type DevApi, devPlugin } from './dev/devPlugin.ts'
import { cacheDirectivePlugin } from './plugins/cacheDirective.ts'
import { mdxPlugin } from './plugins/mdxPlugin.ts'
import { appFilesPlugin, configPlugin, envPlugin } from './plugins/virtualModules.ts'
import { importedNamesPlugin } from './routes/actionReachability.ts'
import { routesPlugin } from './routes/routesPlugin.ts'
import { isRouteFile } from './routes/scanRoutes.ts'
import { typesPlugin } from './routes/typesPlugin.ts'

/** What the command line asks of the plugin, once it has found it in the configuration. */
export type WaymarkApi = DevApi & {
  /** Hears of the build's progress, in place of Vite's logger. */
  reporter: BuildReporter | null
  /** Absolute: the folder of another build, whose assets the new one keeps. */
  assetsFrom: string | null
}

/** The name by which the command line finds the plugin. */
export const pluginName = 'waymark'

/**
 * The Vite plugin: turns the `app/` folder of a project into an application.
 * @param options all optional
 */
export function waymark(options: WaymarkOptions = {}): PluginOption[] {
  let resolved: ResolvedOptions | undefined
  const importedNames = importedNamesPlugin()
  const api: WaymarkApi = {
    reporter: null,
    reportOutside: null,
    assetsFrom: null,
    findNames: importedNames.findNames,
    options() {
      if (!resolved) throw new Error('The options are read before Vite has told the root.')
      return resolved
    },
  }
  return [
    {
      name: pluginName,
      api,
      enforce: 'pre',
      config: {
        order: 'pre',
        handler(config) {
          resolved = resolveOptions(config.root ?? process.cwd(), options)
        },
      },
    },
    bundlesPlugin(),
    envPlugin(),
    environmentsPlugin(api.options),
    fizzTextPlugin(),
    integrityPlugin(),
    routesPlugin(api.options),
    typesPlugin(api.options),
    appFilesPlugin(api.options),
    configPlugin(api.options),
    mdxPlugin(api.options),
    reactServerDomPlugin(),
    renderLifetimePlugin(),
    cacheDirectivePlugin(),
    boundArgsPlugin(),
    importedNames.plugin,
    rsc({
      entries,
      serverHandler: false,
      customBuildApp: true,
      // It wraps components, and what a page throws would no longer be thrown by its function.
      // The styles of route files are linked by their segments.
      rscCssTransform: { filter: (id) => !isRouteFile(api.options().appDir, id) },
    }),
    react(),
    devPlugin(api),
    overlayPlugin(),
    buildPlugin(api),
    quietPlugin(),
  ]
}
