import { definePackage, type PackagePlugin } from 'waymark/plugin'
import type { english } from './shared/texts.ts'

declare module 'waymark/plugin' {
  interface PackageTexts {
    '@waymark/live': typeof english
  }
}

const watchPayloads = new URL('./client/watchPayloads.js', import.meta.url)
const liveClient = new URL('./client/liveClient.js', import.meta.url)

/** Vite plugin of `@waymark/live`, which keeps open pages current if they ask for it. */
export function live(): PackagePlugin {
  return definePackage('@waymark/live', () => ({
    server: { module: new URL('./server/createLive.js', import.meta.url), name: 'createLive' },
    client: {
      onBoot: { module: watchPayloads, name: 'onBoot' },
      onRouter: { module: liveClient, name: 'onRouter' },
      readPayload: { module: watchPayloads, name: 'readPayload' },
    },
    hostFeatures: {
      sockets: [new URL('./socket.js', import.meta.url)],
      streams: ['./index.js', './stream.js'].map((file) => new URL(file, import.meta.url)),
    },
    texts: { module: new URL('./shared/texts.js', import.meta.url), name: 'texts' },
  }))
}
