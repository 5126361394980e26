import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { BuildEnvironment, Plugin, ViteBuilder } from 'vite'
import { servingLine } from '../config/hostAdapter.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import type { ClientVariant } from '../config/variantOptions.ts'
import { dropReadBundles, dropWrittenBundles } from '../internals/droppedBundles.ts'
import {
  moduleNamesPlugin,
  sortClientReferences,
  sortServerReferences,
} from '../internals/stableNames.ts'
import type { FindNames } from '../routes/actionReachability.ts'
import { buildModulePlugin } from './buildModule.ts'
import {
  type BuildReporter,
  type BundledApp,
  type ClientBuild,
  type ClientReferences,
  clientReferencesPlugin,
  readClientBuild,
} from './bundledApp.ts'
import { createClientVariants, type SelectableVariants } from './clientVariants.ts'
import { createCommonPlaces } from './commonPlaces.ts'
import { dropPreviousBuild } from './earlierBuilds.ts'
import { finishBuild, prepareBuild } from './finishBuild.ts'
import { createNamedPackages } from './namedPackages.ts'
import { createNativePackages } from './nativePackages.ts'
import { createPackageWarnings } from './packageWarnings.ts'

export type BuildApi = {
  /** Receives the build's progress. If `null`, Vite's logger gets it. */
  reporter: BuildReporter | null
  /** Absolute path of a different build, whose assets are copied to the new build. */
  assetsFrom: string | null
  readonly findNames: FindNames
  options(): ResolvedOptions
}

export function buildPlugin(api: BuildApi, manager: RscPluginManager): Plugin[] {
  let references: ClientReferences | null = null
  const native = createNativePackages()
  const named = createNamedPackages()
  const places = createCommonPlaces(api.options)
  const packageWarnings = createPackageWarnings()
  const variants = createClientVariants(api.options)
  return [
    {
      name: 'waymark:build',
      async buildApp(builder) {
        const reporter = api.reporter ?? loggingReporter(builder)
        const options = api.options()
        await prepareBuild(options.buildDir)
        try {
          const clients = await bundleApp({
            builder,
            manager,
            reporter,
            variants: options.variants?.builds ?? [],
            selectVariant: variants.select,
          })
          const warnings = packageWarnings.summary()
          if (warnings !== null) builder.config.logger.warn(warnings)
          await places.copyPackages(named.folders(), native.nativeNames())
          if (!references) throw new Error("The module graphs of the bundles weren't read.")
          await finishBuild({
            builder,
            reporter,
            references,
            clients,
            manager,
            options,
            assetsFrom: api.assetsFrom,
            nativePackages: native.nativeNames(),
            absentPackages: native.absent(),
          })
        } finally {
          // Drop the previous build even after a failure, so that nobody mistakes it for the
          // result.
          dropPreviousBuild(options.buildDir)
        }
      },
    },
    packageWarnings.plugin,
    native.plugin,
    named.plugin,
    ...places.plugins,
    ...variants.plugins,
    moduleNamesPlugin(manager),
    buildModulePlugin(),
    clientReferencesPlugin(manager, api.findNames, (read) => {
      references = read
    }),
  ]
}

function loggingReporter({ config }: ViteBuilder): BuildReporter {
  const print = (text: string) => config.logger.info(text)
  const finish: BuildReporter['finish'] = (_, { leftOut, inSuspense, problems, hosting }) => {
    for (const each of [...leftOut, ...inSuspense, ...problems]) config.logger.warn(each)
    for (const each of hosting.notes ?? []) print(each)
    print(servingLine(hosting))
    if (leftOut.length > 0) process.exitCode = 1
  }
  return { step: print, progress: () => {}, detail: () => {}, output: print, finish }
}

type BundledParts = Pick<BundledApp, 'builder' | 'manager' | 'reporter'> & {
  readonly variants: readonly ClientVariant[]
  readonly selectVariant: SelectableVariants['select']
}

/**
 * Bundles the app in plugin-rsc's order: reading the server code finds the client code, and
 * bundling the client code finds the actions.
 */
async function bundleApp({
  builder,
  manager,
  reporter,
  variants,
  selectVariant,
}: BundledParts): Promise<BundledApp['clients']> {
  const { rsc, ssr, client } = builder.environments
  if (!rsc || !ssr || !client)
    throw new Error('The environments that waymark() configures are missing.')
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
  dropReadBundles(manager)
  sortServerReferences(manager)
  for (const { config } of [rsc, ssr]) config.build.write = true
  reporter.step('Bundling the server')
  await bundle(rsc)
  manager.stabilize()
  sortClientReferences(manager)
  const bundleClient = async (variant: ClientVariant | null) => {
    reporter.step(`Bundling for browsers${variant ? `, variant ${variant.id}` : ''}`)
    if (variant) selectVariant(variant)
    await bundle(client)
    return readClientBuild(manager, variant?.id ?? null)
  }
  // Build the first variant last, because plugin-rsc keeps the list of files of the last build.
  const [first = null, ...others] = variants
  const otherClients: ClientBuild[] = []
  for (const variant of others) otherClients.push(await bundleClient(variant))
  const clients = [await bundleClient(first), ...otherClients] as const
  dropWrittenBundles(manager)
  reporter.step('Bundling the renderer')
  await bundle(ssr)
  manager.writeAssetsManifest(['ssr', 'rsc'])
  manager.writeEnvironmentImportsManifest()
  return clients
}

function moduleCount(built: Awaited<ReturnType<ViteBuilder['build']>>): number {
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return outputs.reduce((sum, each) => sum + (each.type === 'chunk' ? each.moduleIds.length : 0), 0)
}
