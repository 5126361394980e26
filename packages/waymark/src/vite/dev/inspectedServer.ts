import type { Prerenderer } from '../../builds/cachedPage.ts'
import type { CacheEntry, InvalidationMode } from '../../cache/cacheDriver.ts'
import type { HandlerResponse } from '../../http/response.ts'
import { detailJson, detailLines } from '../../journal/detail.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import type { MapStack } from '../../journal/sourceMaps.ts'
import { frameLines } from '../../journal/thrownText.ts'
import { waymarkVersion } from '../../node/appPackages.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import type { SourcePlace } from '../config/sourceText.ts'
import { scanRoutes } from '../routes/scanRoutes.ts'
import { devPage } from './errorPage.ts'
import type { DevFailures } from './failures.ts'
import { createInspectedRoutes, type InspectedRoutes } from './inspectedRoutes.ts'
import { journalPath } from './overlayParts.ts'

/** The dev server as a package's tools see it. Folders are absolute paths. */
export type InspectedServer = {
  /** Version of Waymark. */
  readonly version: string
  readonly root: string
  readonly appDir: string
  /** Folder for the app's builds and the dev server's files. */
  readonly buildDir: string
  /** Path at which the app is mounted, without a trailing slash: `''` or `/shop`. */
  readonly basePath: string
  readonly routes: InspectedRoutes
  readonly journal: InspectedJournal
  readonly cache: InspectedCache
  /**
   * Renders a page once, as a build does, to find out how the server sends it.
   *
   * @param pathname as returned by `parsePathname`
   * @throws errors that the app's code throws while it is loaded
   */
  render(pathname: string): Promise<InspectedPage>
  /** Creates a tool's page in the app's theme. `title` is text; `head` and `body` are HTML. */
  toolPage(parts: Readonly<Record<'title' | 'head' | 'body', string>>): HandlerResponse
  /**
   * Imports a package that the app has installed, or one of its entries.
   *
   * @param specifier such as `some-package/entry`
   * @param neededFor subject of the error message: `The tab Faults`
   * @throws `PACKAGE_NOT_INSTALLED`
   */
  loadPackage(specifier: string, neededFor: string): Promise<unknown>
  /**
   * Returns the origin at which the server can reach itself; `null` inside a different program's
   * server, or with TLS.
   */
  origin(): string | null
  /**
   * Calls the listener with each event from a browser. A client can send anything, so validate the
   * event.
   */
  onBrowserEvent(listener: (event: unknown) => void): void
}

/** Errors that the app recorded in development. */
export type InspectedJournal = {
  /**
   * Path below the base path where a package may serve recorded errors. The overlay links each
   * error to `<path>/<digest>`.
   */
  readonly path: string
  /** Lists the latest errors, newest first. */
  list(options: { readonly limit: number }): Promise<readonly JournalEntry[]>
  /**
   * Finds an error, with its stacks mapped to the app's files.
   * @param digest as returned by `parseDigest`
   * @returns `null` if the journal has no such error
   */
  find(digest: string): Promise<RecordedError | null>
}

/** An error from the journal. */
export type RecordedError = {
  /** Object that `waymark errors <digest> --json` prints. */
  readonly json: unknown
  /** Lines that `waymark errors <digest>` prints, without colours. The first is the message. */
  readonly lines: readonly string[]
}

/** The dev server's cache in memory: results of `cached()` and pages. */
export type InspectedCache = {
  list(): Promise<readonly InspectedCacheEntry[]>
  /** Invalidates all entries that have one of these tags. */
  invalidate(tags: readonly string[]): Promise<void>
}

/** A cache entry without its value. Times are in milliseconds since the epoch. */
export type InspectedCacheEntry = {
  readonly key: string
  readonly tags: readonly string[]
  /** Size of the value. */
  readonly bytes: number
  readonly storedAtMs: number
  readonly revalidateAtMs: number | null
  readonly expireAtMs: number | null
}

/** Tells how the server sends a page. */
export type InspectedPage = {
  readonly kind: 'static' | 'partial' | 'dynamic' | 'failed'
  /** API that makes the page dynamic, or the error of a page that failed; otherwise `null`. */
  readonly reason: string | null
  /**
   * Line in the app that called the API in `reason`, if the stack is known. `source` is the file's
   * content.
   */
  readonly place: (SourcePlace & { readonly source: string }) | null
}

/** Exports of the `rsc` entry that tools use. */
export type InspectedEntry = {
  readonly prerenderer: Pick<Prerenderer, 'render'>
  readonly inspectedCache: {
    list(): readonly { readonly key: string; readonly entry: CacheEntry }[]
    invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
  }
}

type DevServerParts = Pick<InspectedServer, 'loadPackage' | 'origin' | 'onBrowserEvent'> & {
  readonly options: Pick<ResolvedOptions, 'root' | 'appDir' | 'buildDir' | 'basePath' | 'theme'>
  readonly journal: Pick<JournalDriver, 'list'>
  readonly failures: Pick<DevFailures, 'detailOf'>
  readonly mapStack: MapStack
  /** @throws errors that the app's code throws while it's loaded */
  loadEntry(): Promise<InspectedEntry>
}

export function createInspectedServer(parts: DevServerParts): InspectedServer {
  const { options, mapStack, loadPackage, loadEntry, origin, onBrowserEvent } = parts
  const { root, appDir, buildDir, basePath, theme } = options
  return {
    version: waymarkVersion(),
    root,
    appDir,
    buildDir,
    basePath,
    routes: createInspectedRoutes(() => scanRoutes(appDir)),
    journal: createInspectedJournal(parts),
    cache: createInspectedCache(loadEntry),
    async render(pathname) {
      const { prerenderer } = await loadEntry()
      const rendered = await prerenderer.render(pathname)
      switch (rendered.kind) {
        case 'response':
          return { kind: 'static', reason: null, place: null }
        case 'partial':
          return { kind: 'partial', reason: null, place: null }
        case 'failed':
          return { kind: 'failed', reason: String(rendered.thrown), place: null }
        case 'dynamic': {
          const place = await firstPlaceOfApp(rendered.stack ?? '', mapStack)
          return { kind: 'dynamic', reason: rendered.reason, place }
        }
      }
    },
    toolPage: (page) => devPage({ ...page, theme }),
    loadPackage,
    origin,
    onBrowserEvent,
  }
}

function createInspectedJournal({
  journal,
  failures,
  options: { root },
}: Pick<DevServerParts, 'journal' | 'failures' | 'options'>): InspectedJournal {
  const plain = (text: string) => text
  const style = { root, age: '', paint: { red: plain, dim: plain } }
  return {
    path: journalPath,
    list: ({ limit }) => journal.list({ limit }),
    async find(digest) {
      const detail = await failures.detailOf(digest)
      return detail && { json: detailJson(detail), lines: detailLines(detail, style) }
    },
  }
}

function createInspectedCache(loadEntry: () => Promise<InspectedEntry>): InspectedCache {
  return {
    async list() {
      const { inspectedCache } = await loadEntry()
      return inspectedCache.list().map(({ key, entry }) => {
        const { value, tags, storedAtMs, revalidateAtMs, expireAtMs } = entry
        return { key, tags, bytes: value.length, storedAtMs, revalidateAtMs, expireAtMs }
      })
    },
    async invalidate(tags) {
      const { inspectedCache } = await loadEntry()
      await inspectedCache.invalidate(tags, 'expired')
    },
  }
}

async function firstPlaceOfApp(stack: string, mapStack: MapStack): Promise<InspectedPage['place']> {
  const frames = await mapStack(frameLines(stack).join('\n'), { isBrowser: false, buildId: null })
  for (const { place } of frames) {
    if (!place?.isAppCode || place.source === null) continue
    const { file, line, column, source } = place
    return { file, line, column, source }
  }
  return null
}
