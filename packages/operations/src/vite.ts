import { definePackage, type PackagePlugin } from 'waymark/plugin'

const server = {
  module: new URL('./doctor/createDoctor.js', import.meta.url),
  name: 'serverPart',
}
const commands = new URL('./commands.js', import.meta.url)

/**
 * Vite plugin of `@waymark/operations`. It adds worker processes, the access log and metrics to
 * `waymark start`, and the commands `waymark assets` and `waymark doctor`.
 */
export function operations(): PackagePlugin {
  return definePackage('@waymark/operations', ({ command }) => ({
    operations: new URL('./index.js', import.meta.url),
    ...(command === 'build' && { server }),
    commands: {
      assets: {
        summary: 'Push the assets of the build to a folder or bucket',
        module: commands,
      },
      doctor: { summary: 'Check a running deployment', module: commands },
    },
  }))
}
