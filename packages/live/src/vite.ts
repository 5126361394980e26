import { definePackage, type PackagePlugin } from 'waymark/plugin'

const client = new URL('./client/liveClient.js', import.meta.url)

/** The Vite plugin of `@waymark/live`: keeps open pages current that ask for it. */
export function live(): PackagePlugin {
  return definePackage('@waymark/live', () => ({
    server: { module: new URL('./server/createLive.js', import.meta.url), name: 'createLive' },
    client: {
      onBoot: { module: client, name: 'onBoot' },
      onRouter: { module: client, name: 'onRouter' },
      readPayload: { module: client, name: 'readPayload' },
    },
  }))
}
