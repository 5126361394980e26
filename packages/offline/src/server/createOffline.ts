import { basePath } from 'waymark'
import {
  type Endpoint,
  type HeaderLines,
  payloadUrl,
  withBasePath,
  workerPath,
} from 'waymark/internal/server'
import { devBuild, type PageUrls, screenPath, type WorkerSettings } from '../shared/messages.ts'
import { screenHtml, screenPolicy, syncText, workerText } from './builtTexts.js'

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
  // Another build has another URL: a worker never gets the code of one.
  const syncPath = `/_waymark/sync-${build}.js`
  const isDev = build === devBuild
  const settings: WorkerSettings = {
    ...{ build, basePath },
    ahead: [...(screen === null ? [] : [screen]), ...ahead].map(pageUrls),
    screen: screen === null ? basePath + screenPath : pageUrls(screen).document,
    syncPath: withBasePath(syncPath),
    maxBytes: maxMegabytes * 1_000_000,
    // A document of a dev server does not name the code of its components, which is large.
    wantedShare: isDev ? 1 : 1 / 8,
    devSeconds: isDev ? 86_400 : 0,
    freshMs: isDev ? 0 : 60_000,
    limitMs: timeoutMs - sparedMs,
  }
  const worker = `self.settings=${JSON.stringify(settings)};${workerText}`
  return [
    endpoint(workerPath, worker, [
      ['content-type', 'text/javascript'],
      ['service-worker-allowed', basePath || '/'],
    ]),
    endpoint(syncPath, syncText, [['content-type', 'text/javascript']]),
    endpoint(screenPath, screenHtml, [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-security-policy', screenPolicy],
    ]),
  ]
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

function endpoint(path: string, body: string, headers: HeaderLines): Endpoint {
  // A browser compares the worker with the one that it has.
  const all: HeaderLines = [...headers, ['cache-control', 'no-cache']]
  return { path, handle: async () => ({ status: 200, headers: all, body }) }
}
