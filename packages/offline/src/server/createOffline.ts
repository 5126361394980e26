import { basePath } from 'waymark'
import { type Endpoint, payloadUrl, withBasePath, workerPath } from 'waymark/internal/server'
import type { PageUrls, WorkerSettings } from '../shared/messages.ts'
import { workerText } from './workerText.js'

/** `offline` of `waymark()`, with the time limit of navigations. */
export type OfflineOptions = {
  readonly ahead?: readonly string[]
  readonly screen?: string
  readonly maxMegabytes?: number
  readonly timeoutMs: number
}

/** A kept page comes before the notice of a late navigation. */
const sparedMs = 200

/** Creates what serves the service worker of a build. */
export function createOffline(options: OfflineOptions, build: string): readonly Endpoint[] {
  const { ahead = [], screen = null, maxMegabytes = 20, timeoutMs } = options
  const settings: WorkerSettings = {
    ...{ build, basePath },
    ahead: [...(screen === null ? [] : [screen]), ...ahead].map(pageUrls),
    screen: screen === null ? null : pageUrls(screen).document,
    maxBytes: maxMegabytes * 1_000_000,
    limitMs: timeoutMs - sparedMs,
  }
  return [{ path: workerPath, handle: async () => textResponse(settings) }]
}

function pageUrls(path: string): PageUrls {
  if (!/^\/(?!\/)/.test(path)) {
    throw new Error(`The option offline names ${path}. A page's path begins with one slash.`)
  }
  const { pathname, search } = new URL(path, 'http://localhost')
  return {
    document: withBasePath(pathname) + search,
    data: withBasePath(payloadUrl(pathname, search)),
  }
}

function textResponse(settings: WorkerSettings) {
  const headers: [string, string][] = [
    ['content-type', 'text/javascript'],
    // A browser compares it with the one that it has.
    ['cache-control', 'no-cache'],
    ['service-worker-allowed', `${basePath}/`],
  ]
  return { status: 200, headers, body: `self.settings=${JSON.stringify(settings)};${workerText}` }
}
