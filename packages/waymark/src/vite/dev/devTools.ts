import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ViteDevServer } from 'vite'
import type { CacheEntry, InvalidationMode } from '../../cache/cacheDriver.ts'
import { detailJson, type EntryDetail } from '../../journal/detail.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { MapStack } from '../../journal/sourceMaps.ts'
import { findPackage, type LoadPackage } from '../../node/appPackages.ts'
import { waymarkVersion } from '../../node/version.ts'
import { writeResponse } from '../../node/writeResponse.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import type { Prerenderer } from '../../shared/cachedPage.ts'
import { frameworkError } from '../../shared/errors.ts'
import { internalPrefix } from '../../shared/protocol.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import type { Tracer } from '../../shared/trace.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { scanRoutes } from '../routes/scanRoutes.ts'
import { plainText } from './devResponse.ts'
import { isSameOrigin } from './devSecurity.ts'
import { devPage } from './errorPage.ts'

/** What the devtools use of the `rsc` environment's entry. */
export type InspectedEntry = {
  readonly prerenderer: Pick<Prerenderer, 'render'>
  readonly inspectedCache: {
    list(): readonly { readonly key: string; readonly entry: CacheEntry }[]
    invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
  }
}

/** What `@waymark/devtools` gets of a dev server. */
export type InspectedServer = {
  readonly options: Pick<ResolvedOptions, 'root' | 'appDir' | 'buildDir' | 'basePath' | 'devtools'>
  /** Of the framework. */
  readonly version: string
  /** The guide as Markdown: a folder. */
  readonly docs: string
  readonly journal: Pick<JournalDriver, 'list'>
  readonly mapStack: MapStack
  readonly loadPackage: LoadPackage
  /** The routes as they are now. @throws when the files of the app contradict each other */
  tree(): Promise<RouteTree>
  /** @throws what the app's code throws as it is loaded */
  loadEntry(): Promise<InspectedEntry>
  /** An error with its mapped stack; `null` where the journal has none. */
  errorDetail(digest: string): Promise<unknown>
  /** A document with the theme of the app. */
  page(title: string, body: string): HandlerResponse
  /** Where the server reaches itself; `null` within the server of another program, or over TLS. */
  origin(): string | null
  /** Whether a request comes from a page of this server. */
  isSameOrigin(req: IncomingMessage): boolean
  /** Calls back with what pages send as events. */
  onBrowserEvent(listener: (data: unknown) => void): void
}

/** A request of the app, with its target. */
export type ReceivedRequest = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly target: string
}

/** What the dev server uses of `@waymark/devtools`. */
export type Devtools = {
  readonly tracer: Tracer
  /** A middleware: the faults that browsers have switched on. */
  readonly breakRequests:
    | ((req: IncomingMessage, res: ServerResponse, next: () => void) => void)
    | null
  /** Puts the mark of the panel into a document. */
  mark(response: HandlerResponse): HandlerResponse
  /** Runs a request of the app, and writes its response. */
  follow(received: ReceivedRequest, run: () => Promise<HandlerResponse>): Promise<void>
  /** Responds at the URLs of the devtools. @returns false at those of the app */
  handle(received: ReceivedRequest): Promise<boolean>
}

/** Vite DevTools, as far as it is used. @see https://devtools.vite.dev/kit/ */
export type ViteDocks = { register(entry: object): unknown }

type DevtoolsPackage = {
  createDevtools(server: InspectedServer): Devtools
  registerDock(docks: ViteDocks, basePath: string): void
}

type DevToolsOptions = Pick<
  InspectedServer,
  'journal' | 'mapStack' | 'loadPackage' | 'loadEntry'
> & {
  readonly server: ViteDevServer
  readonly options: ResolvedOptions
  readonly failures: { detailOf(digest: string): Promise<EntryDetail | null> }
}

/** The package that an app installs for the panel and the tools for agents. */
export const devtoolsPackage = '@waymark/devtools'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))

/** Creates the devtools of a dev server; without their package, what says that it is missing. */
export async function createDevTools(given: DevToolsOptions): Promise<Devtools> {
  const { server, options, failures, journal, mapStack, loadPackage, loadEntry } = given
  const found = await loadDevtools(options.root)
  if (found === null) return withoutDevtools
  return found.createDevtools({
    ...{ options, docs, journal, mapStack, loadPackage, loadEntry, isSameOrigin },
    version: waymarkVersion(),
    tree: () => scanRoutes(options.appDir),
    async errorDetail(digest) {
      const detail = await failures.detailOf(digest)
      return detail && detailJson(detail)
    },
    page: (title, body) => devPage({ title, head: '', body, theme: options.theme }),
    origin: () => ownOrigin(server),
    onBrowserEvent: (listener) => server.environments.client.hot.on('waymark:event', listener),
  })
}

/** @returns `null` in an app that has not installed the package */
export async function loadDevtools(root: string): Promise<DevtoolsPackage | null> {
  const file = findPackage(devtoolsPackage, root)
  return file === null ? null : import(pathToFileURL(file).href)
}

/** The URLs at which the package responds. */
const devtoolsPath = new RegExp(`^${internalPrefix}(?:devtools/|(?:mcp|events)(?:\\?|$))`)

const withoutDevtools: Devtools = {
  tracer: { record() {}, load: () => null },
  breakRequests: null,
  mark: (response) => response,
  follow: async ({ res }, run) => writeResponse(res, await run()),
  async handle({ res, target }) {
    if (!devtoolsPath.test(target)) return false
    const neededFor = 'This part of the dev server'
    const { message } = frameworkError('PACKAGE_NOT_INSTALLED', {
      name: devtoolsPackage,
      neededFor,
    })
    await writeResponse(res, plainText(501, message))
    return true
  },
}

/** Where a dev server reaches itself; `null` within the server of another program, or over TLS. */
function ownOrigin({ httpServer, config }: ViteDevServer): string | null {
  const address = httpServer?.address()
  if (!address || typeof address === 'string' || config.server.https) return null
  return `http://localhost:${address.port}`
}
