import { definePackage, type PackagePlugin } from 'waymark/plugin'
import type { OfflineOptions } from './server/createOffline.ts'
import type { OfflineTexts } from './shared/texts.ts'

export type { OfflineOptions } from './server/createOffline.ts'

declare module 'waymark/plugin' {
  interface PackageTexts {
    '@waymark/offline': OfflineTexts
  }
}

/**
 * Vite plugin that makes an app work without a network. Pages that a visitor has seen open again, and
 * forms wait until they can be sent. In development only forms wait, unless `dev` is set.
 */
export function offline(options: OfflineOptions = {}): PackagePlugin {
  return definePackage('@waymark/offline', ({ command }) => {
    const hasWorker = command === 'build' || options.dev === true
    const client = hasWorker
      ? new URL('./client/offlineClient.js', import.meta.url)
      : new URL('./outbox/queue.js', import.meta.url)
    const server = {
      module: new URL('./server/createOffline.js', import.meta.url),
      name: 'createOffline',
    }
    return {
      ...(hasWorker ? { server, options: options } : {}),
      texts: { module: new URL('./texts/byLanguage.js', import.meta.url), name: 'texts' },
      client: {
        onIdle: { module: client, name: 'onIdle' },
        onRouter: { module: client, name: 'onRouter' },
        queueCalls: { module: client, name: 'queueCalls' },
        sealedUser: { module: client, name: 'sealedUser' },
        onOtherUser: { module: client, name: 'onOtherUser' },
      },
    }
  })
}
