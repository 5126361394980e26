import react from '@vitejs/plugin-react'
import rsc, { getPluginApi } from '@vitejs/plugin-rsc'
import {
  type InlineConfig,
  type Plugin,
  type PluginOption,
  parseAstAsync,
  transformWithOxc,
} from 'vite'
import { type BuildApi, buildPlugin } from './build/buildPlugin.ts'
import { pluginName, readPackages } from './config/definePackage.ts'
import { entries, environmentsPlugin } from './config/environments.ts'
import {
  type ResolvedOptions,
  resolveOptions,
  type WaymarkOptions,
} from './config/pluginOptions.ts'
import { bundlesPlugin, overlayPlugin } from './dev/bundlesPlugin.ts'
import { createFailureLog } from './dev/devLog.ts'
import { devPlugin } from './dev/devPlugin.ts'
import type { DevApi } from './dev/devServer.ts'
import { deletedFilesPlugin, fileChangesPlugin } from './dev/fileChanges.ts'
import { explainFetch, explainTransform, unresolvedImportsPlugin } from './dev/moduleErrors.ts'
import { cssSyntaxPlugin, missingExport } from './dev/sourceChecks.ts'
import { commonModulesPlugin } from './internals/commonModules.ts'
import { listDependents } from './internals/dependents.ts'
import { devEnvironmentsPlugin } from './internals/devEnvironments.ts'
import { devReferencesPlugin } from './internals/devReferences.ts'
import { type SearchedApp, searchApp } from './internals/findPackages.ts'
import { nodeReactPlugin, reactServerDomPlugin } from './internals/nodeReact.ts'
import { packagesPlugin } from './internals/packages.ts'
import { pretransformedPlugin } from './internals/pretransformed.ts'
import { boundArgsPlugin, sealedActionsPlugin } from './internals/replacedModules.ts'
import { createChunkNames } from './internals/stableNames.ts'
import { cachedNamesPlugin } from './plugins/cachedNames.ts'
import { chunkImportsPlugin, devImportsPlugin } from './plugins/chunkRetries.ts'
import { directiveHintsPlugin } from './plugins/directiveHints.ts'
import { lazyComponentsPlugin } from './plugins/lazyComponents.ts'
import { packageModulesPlugin } from './plugins/packageModules.ts'
import { mdxPlugin, packageHintsPlugin } from './plugins/packagePlugins.ts'
import { reactDomPlugin } from './plugins/reactDomPlugin.ts'
import {
  laterEntriesPlugin,
  nodeImportsPlugin,
  serverEntriesPlugin,
} from './plugins/serverEntries.ts'
import { serverModulesPlugin } from './plugins/serverModules.ts'
import { appFilesPlugin, configPlugin, envPlugin } from './plugins/virtualModules.ts'
import { importedNamesPlugin, mayHaveActions } from './routes/actionReachability.ts'
import { imageFilesPlugin } from './routes/imageFiles.ts'
import { routesPlugin } from './routes/routesPlugin.ts'
import { typesPlugin } from './routes/routeTypes.ts'
import { isRouteFile } from './routes/scanRoutes.ts'

/** API that the command line uses after it has found the plugin in the configuration. */
export type WaymarkApi = DevApi & BuildApi

const moduleErrors = { missingExport, explainTransform, explainFetch }

// Name of a plugin in plugin-rsc. It warns about packages that are both bundled for browsers and
// used by the server, because two copies could exist. Here, `resolveId` in packages.ts resolves
// both to one copy, so the warning would be wrong.
const optimizerWarnings = 'rsc:use-client:optimizer-metadata'

/** Creates the Vite plugin that turns a project's `app/` folder into an application. */
export function waymark(options: WaymarkOptions = {}): PluginOption[] {
  let resolved: ResolvedOptions | undefined
  let searched: SearchedApp = { clientFiles: [], imported: new Set() }
  const rscPlugins = rsc({
    entries,
    serverHandler: false,
    customBuildApp: true,
    clientChunks: createChunkNames(),
    // Waymark's segments link the styles of route files. If plugin-rsc wrapped these files, an
    // error in a page would no longer come from the page's own function.
    rscCssTransform: { filter: (id) => !isRouteFile(api.options().appDir, id) },
  })
  const usedPlugins = rscPlugins.filter(({ name }) => name !== optimizerWarnings)
  const { manager } = getPluginApi({ plugins: rscPlugins }) ?? {}
  if (!manager) throw new Error("waymark() doesn't support this version of plugin-rsc.")
  const importedNames = importedNamesPlugin(manager)
  const log = createFailureLog(() => api.options().root)
  const api: WaymarkApi = {
    reporter: null,
    printRequest: null,
    reportOutside: null,
    closeJournal: null,
    log,
    assetsFrom: null,
    findNames: importedNames.findNames,
    options() {
      if (!resolved) throw new Error('The options were read before Vite set the root.')
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
        async handler(config: InlineConfig, env) {
          const { root = process.cwd(), plugins = [], configFile } = config
          const packages = await readPackages(plugins, env)
          // A build bundles all packages for the server, so only the dev server needs this search.
          if (env.command === 'serve') searched = await searchApp(root)
          const dependents = listDependents(searched.imported, root)
          resolved = resolveOptions(root, options, {
            packages,
            dependents,
            configFile: configFile || undefined,
          })
        },
      },
    },
    [unresolvedImportsPlugin(), deletedFilesPlugin(), envPlugin(), serverModulesPlugin()],
    [environmentsPlugin(api.options), devEnvironmentsPlugin(log, moduleErrors)],
    [routesPlugin(api.options), imageFilesPlugin()],
    [typesPlugin(api.options), appFilesPlugin(api.options)],
    [serverEntriesPlugin(), laterEntriesPlugin(), nodeImportsPlugin()],
    [configPlugin(api.options, () => mayHaveActions(manager)), packageModulesPlugin(api.options)],
    [jsxPlugin(), mdxPlugin(api.options)],
    cachedNamesPlugin(),
    importedNames.plugin,
    [bundlesPlugin(), pretransformedPlugin()],
    reactDomPlugin(),
    [
      reactServerDomPlugin(),
      nodeReactPlugin(),
      devReferencesPlugin(),
      packagesPlugin(api.options, () => searched),
      commonModulesPlugin(),
    ],
    [packageHintsPlugin(api.options), directiveHintsPlugin()],
    [boundArgsPlugin(), sealedActionsPlugin()],
    usedPlugins,
    [react(), chunkImportsPlugin(), devImportsPlugin(), lazyComponentsPlugin()],
    [devPlugin(api, manager), fileChangesPlugin(), overlayPlugin(), cssSyntaxPlugin()],
    buildPlugin(api, manager),
    quietPlugin(),
  ]
}

/** Compiles JSX in the app's `.js` files. Vite itself supports JSX only in `.jsx` and `.tsx`. */
function jsxPlugin(): Plugin {
  return {
    name: 'waymark:jsx',
    enforce: 'pre',
    configEnvironment() {
      // The dev server also looks for packages in these files.
      return { optimizeDeps: { rolldownOptions: { moduleTypes: { '.js': 'jsx' as const } } } }
    },
    transform: {
      filter: { id: { include: /\.m?js(?:\?|$)/, exclude: /\/node_modules\// }, code: /<[\w>]/ },
      async handler(code, id) {
        if (await isJavaScript(code)) return null
        const development = this.environment.mode === 'dev'
        const jsx = { runtime: 'automatic' as const, development }
        return transformWithOxc(code, id, { lang: 'jsx', jsx })
      },
    },
  }
}

function isJavaScript(code: string): Promise<boolean> {
  return parseAstAsync(code).then(
    () => true,
    () => false,
  )
}

// Matches the codes of log messages about things that an author can't change. These are plugin
// timings, source maps that plugin-rsc omits, and equal files that both plugin-rsc and Vite emit,
// for server and client components.
const unhelpfulLogs = /_TIMINGS$|^FILE_NAME_CONFLICT$|^SOURCEMAP_BROKEN$/

function quietPlugin(): Plugin {
  return {
    name: 'waymark:quiet',
    apply: 'build',
    onLog(_level, { plugin, code }) {
      const isOurs = plugin === undefined || /^(?:rsc|waymark)\b/.test(plugin)
      return isOurs && unhelpfulLogs.test(code ?? '') ? false : null
    },
  }
}
