import type { RscPluginManager } from '@vitejs/plugin-rsc'

/** Drops the bundles from which plugin-rsc has only read the app. */
export function dropReadBundles(manager: RscPluginManager): void {
  manager.bundles = {}
}

/**
 * Drops the assets of the server and everything for browsers once it is written, so that the
 * bundler can free it. plugin-rsc keeps the bundles, so an app's pictures would be in memory several
 * times.
 */
export function dropWrittenBundles({ bundles }: RscPluginManager): void {
  delete bundles.client
  for (const [file, output] of Object.entries(bundles.rsc ?? {})) {
    if (output.type === 'asset') delete bundles.rsc?.[file]
  }
}
