import { definePackage, type PackagePlugin } from 'waymark/plugin'

const commands = new URL('./commands.js', import.meta.url)

/** The Vite plugin that adds the commands of `@waymark/testing`. Builds and the dev server stay as they are. */
export function testing(): PackagePlugin {
  return definePackage('@waymark/testing', () => ({
    commands: {
      drill: {
        summary: 'Break each load of the app, and see what a person sees',
        module: commands,
      },
      info: { summary: 'Print versions for bug reports', module: commands },
    },
  }))
}

/**
 * The former plugin that stored the requests of errors. It has moved to `@waymark/replay`.
 * @throws an `Error` that says which lines to write instead
 */
export function replay(_options?: object): never {
  throw new Error(
    "replay() is the plugin of @waymark/replay. Run npm install @waymark/replay, and write in vite.config.ts: import { replay } from '@waymark/replay/vite'",
  )
}
