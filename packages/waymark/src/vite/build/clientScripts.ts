import type { RscPluginManager } from '@vitejs/plugin-rsc'
import type { ClientScripts } from '../../shared/build.ts'
import { listBootFiles } from './bootFiles.ts'
import { textsOf } from './clientBytes.ts'
import { clientAssetsOf } from './clientReferences.ts'

/**
 * Takes the scripts of client files out of plugin-rsc's manifest: it would preload them for every
 * page that names one, needed or not. The renderer decides, by what stands beside them.
 * @param base before every URL of the assets
 */
export function takeClientScripts(manager: RscPluginManager, base: string): void {
  const manifest = clientAssetsOf(manager)
  const { app } = listBootFiles(manager.bundles.client ?? {})
  const entry = textsOf(manifest.clientEntryDeps?.js)
  const files: Record<string, readonly string[]> = {}
  for (const [key, deps] of Object.entries(manifest.clientReferenceDeps)) {
    files[key] = textsOf(deps.js).filter((url) => !entry.includes(url))
    manifest.clientReferenceDeps[key] = { ...deps, js: [] }
  }
  const scripts: ClientScripts = { app: app.map((name) => base + name), files }
  Object.assign(manifest, { waymark: scripts })
}

/** The scripts that were taken. */
export function clientScriptsOf(manager: RscPluginManager): ClientScripts {
  return (clientAssetsOf(manager) as { waymark?: ClientScripts }).waymark ?? { app: [], files: {} }
}
