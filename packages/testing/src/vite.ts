import { definePackage, type PackagePlugin } from 'waymark/plugin'

const commands = new URL('./commands.js', import.meta.url)

/**
 * Vite plugin that adds the commands of `@waymark/testing`. It changes neither builds nor the dev
 * server.
 */
export function testing(): PackagePlugin {
  return definePackage('@waymark/testing', () => ({
    commands: {
      drill: {
        summary: 'Break each load of the app, and check what a user sees',
        module: commands,
      },
      info: { summary: 'Print versions for bug reports', module: commands },
    },
  }))
}

/**
 * Former plugin, which stored the requests that caused errors. It has moved to `@waymark/replay`.
 * @throws Error with the lines to write instead
 */
export function replay(_options?: object): never {
  throw new Error(
    "replay() has moved to @waymark/replay. Run npm install @waymark/replay, and add to vite.config.ts: import { replay } from '@waymark/replay/vite'",
  )
}
