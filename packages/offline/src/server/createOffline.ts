import { basePath } from 'waymark'
import type { CreateServerPart, Endpoint, HeaderLines } from 'waymark/plugin'
import { pageUrls, userCookieName, workerPath } from 'waymark/plugin/server'
import { devBuild, type PageUrls, screenPath, type WorkerSettings } from '../shared/messages.ts'
import { screenHtml, screenPolicy, syncText, workerText } from './builtTexts.js'

/** Options of `offline()`. */
export type OfflineOptions = {
  /** Paths of public pages to save before anybody opens them. */
  readonly precache?: readonly string[]
  /** Path of the page to show when a page isn't saved. Default: a built-in screen. */
  readonly screen?: string
  /** Megabytes that saved pages may take up. Default: 20. */
  readonly maxMegabytes?: number
  /** True to save pages in development, too. Default: `false`. */
  readonly dev?: boolean
}

/** Milliseconds by which a cached page appears before the notice about a late navigation would. */
const sparedMs = 200

/** Creates the endpoints that serve a build's service worker. */
export const createOffline: CreateServerPart<OfflineOptions> = (app, options) => {
  const { buildId: build, navigationTimeoutMs } = app
  const { precache = [], screen = null, maxMegabytes = 20 } = options
  // The build id in the URL prevents a worker from loading a different build's code.
  const syncPath = `/_waymark/sync-${build}.js`
  const isDev = build === devBuild
  const settings: WorkerSettings = {
    build,
    basePath,
    userCookie: userCookieName(basePath),
    precache: [...(screen === null ? [] : [screen]), ...precache].map(urlsOf),
    screen: screen === null ? basePath + screenPath : urlsOf(screen).document,
    syncPath: basePath + syncPath,
    maxBytes: maxMegabytes * 1_000_000,
    // In development, component code is large and can't be found in the document, so allow more
    // space.
    wantedShare: isDev ? 1 : 1 / 8,
    devSeconds: isDev ? 86_400 : 0,
    freshMs: isDev ? 0 : 60_000,
    limitMs: navigationTimeoutMs - sparedMs,
  }
  const worker = `self.settings=${JSON.stringify(settings)};${workerText}`
  const endpoints = [
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
  return { endpoints }
}

function urlsOf(path: string): PageUrls {
  if (!/^\/(?!\/)/.test(path)) {
    throw new Error(
      `offline() got ${path}, which isn't the path of a page. Use a path that starts with exactly one slash.`,
    )
  }
  return pageUrls(path)
}

function endpoint(path: string, body: string, headers: HeaderLines): Endpoint {
  // The browser compares the response with its installed worker, so it must revalidate.
  const all: HeaderLines = [...headers, ['cache-control', 'no-cache']]
  return { path, handle: async () => ({ status: 200, headers: all, body }) }
}
