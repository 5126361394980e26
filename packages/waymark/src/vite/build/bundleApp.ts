import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { ViteBuilder } from 'vite'
import { takeClientScripts } from './clientScripts.ts'
import type { BuildReporter } from './reporter.ts'
import { sortClientReferences, sortServerReferences } from './stableReferences.ts'

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
