import { definePackage, type PackagePlugin } from 'waymark/plugin'

/**
 * The Vite plugin of `@waymark/operations`: worker processes, the access log and metrics for
 * `waymark start`, and the command `waymark assets`.
 */
export function operations(): PackagePlugin {
  return definePackage('@waymark/operations', () => ({
    operations: new URL('./index.js', import.meta.url),
    commands: {
      assets: {
        summary: 'Push the assets of the build to a folder or bucket',
        module: new URL('./commands.js', import.meta.url),
      },
    },
  }))
}
