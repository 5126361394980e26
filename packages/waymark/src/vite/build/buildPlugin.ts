import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { BuildEnvironment, Plugin, ViteBuilder } from 'vite'
import { servingLine } from '../config/hostAdapter.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import {
  moduleNamesPlugin,
  sortClientReferences,
  sortServerReferences,
} from '../internals/stableNames.ts'
import type { FindNames } from '../routes/actionReachability.ts'
import { buildModulePlugin } from './buildModule.ts'
import { type BuildReporter, type ClientReferences, clientReferencesPlugin } from './bundledApp.ts'
import { createCommonPlaces } from './commonPlaces.ts'
import { dropPreviousBuild } from './earlierBuilds.ts'
import { finishBuild, prepareBuild } from './finishBuild.ts'
import { createNamedPackages } from './namedPackages.ts'
import { createNativePackages } from './nativePackages.ts'

export type BuildApi = {
  /** Gets the build's progress instead of Vite's logger. */
  reporter: BuildReporter | null
  /** Absolute: the folder of another build, whose assets stay in the new one. */
  assetsFrom: string | null
  readonly findNames: FindNames
  options(): ResolvedOptions
}

export function buildPlugin(api: BuildApi, manager: RscPluginManager): Plugin[] {
  let references: ClientReferences | null = null
  const native = createNativePackages()
  const named = createNamedPackages()
  const places = createCommonPlaces(api.options)
  return [
    {
      name: 'waymark:build',
      async buildApp(builder) {
        const reporter = api.reporter ?? loggingReporter(builder)
        const options = api.options()
        await prepareBuild(options.buildDir)
        try {
          await bundleApp(builder, manager, reporter)
          await places.copyPackages(named.folders(), native.found())
          if (!references) throw new Error('The module graphs of the bundles were not read.')
          await finishBuild({
            builder,
            reporter,
            references,
            manager,
            options,
            assetsFrom: api.assetsFrom,
            nativePackages: native.found(),
            absentPackages: native.absent(),
          })
        } finally {
          // After a failure, too: a build that fails must not look like the one before.
          dropPreviousBuild(options.buildDir)
        }
      },
    },
    native.plugin,
    named.plugin,
    ...places.plugins,
    moduleNamesPlugin(manager),
    buildModulePlugin(),
    clientReferencesPlugin(manager, api.findNames, (read) => {
      references = read
    }),
  ]
}

function loggingReporter({ config }: ViteBuilder): BuildReporter {
  const print = (text: string) => config.logger.info(text)
  const finish: BuildReporter['finish'] = (_, { leftOut, inSuspense, hosting }) => {
    for (const each of [...leftOut, ...inSuspense]) config.logger.warn(each)
    for (const each of hosting.notes ?? []) print(each)
    print(servingLine(hosting))
    if (leftOut.length > 0) process.exitCode = 1
  }
  return { step: print, progress: () => {}, detail: () => {}, output: print, finish }
}

/** The order is plugin-rsc's: reading the server finds client code, bundling that finds actions. */
async function bundleApp(
  builder: ViteBuilder,
  manager: RscPluginManager,
  reporter: BuildReporter,
): Promise<void> {
  const { rsc, ssr, client } = builder.environments
  if (!rsc || !ssr || !client) throw new Error('waymark() configures three environments.')
  const bundle = async (environment: BuildEnvironment) => {
    const modules = moduleCount(await builder.build(environment))
    reporter.detail(`${modules} modules`)
  }
  reporter.step('Reading the app')
  manager.isScanBuild = true
  for (const { config } of [rsc, ssr]) config.build.write = false
  await bundle(rsc)
  await bundle(ssr)
  manager.isScanBuild = false
  sortServerReferences(manager)
  for (const { config } of [rsc, ssr]) config.build.write = true
  reporter.step('Bundling the server')
  await bundle(rsc)
  manager.stabilize()
  sortClientReferences(manager)
  reporter.step('Bundling for browsers')
  await bundle(client)
  reporter.step('Bundling the renderer')
  await bundle(ssr)
  manager.writeAssetsManifest(['ssr', 'rsc'])
  manager.writeEnvironmentImportsManifest()
}

function moduleCount(built: Awaited<ReturnType<ViteBuilder['build']>>): number {
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return outputs.reduce((sum, each) => sum + (each.type === 'chunk' ? each.moduleIds.length : 0), 0)
}
