import type { IncomingMessage, ServerResponse } from 'node:http'
import { pathToFileURL } from 'node:url'
import type { CacheEntry, InvalidationMode } from '../../cache/cacheDriver.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { MapStack } from '../../journal/sourceMaps.ts'
import { findPackage, type LoadPackage } from '../../node/appPackages.ts'
import { writeResponse } from '../../node/writeResponse.ts'
import type { Prerenderer } from '../../shared/cachedPage.ts'
import { frameworkError } from '../../shared/errors.ts'
import { internalPrefix } from '../../shared/protocol.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import type { Tracer } from '../../shared/trace.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { plainText } from './errorPage.ts'
import type { ExplanationRule } from './explainError.ts'
import type { DevFailures } from './failures.ts'

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
  readonly options: Pick<
    ResolvedOptions,
    'root' | 'appDir' | 'buildDir' | 'basePath' | 'devtools' | 'theme'
  >
  readonly journal: Pick<JournalDriver, 'list'>
  readonly failures: Pick<DevFailures, 'detailOf'>
  readonly mapStack: MapStack
  readonly loadPackage: LoadPackage
  /** @throws what the app's code throws as it is loaded */
  loadEntry(): Promise<InspectedEntry>
  /** Where the server reaches itself; `null` within the server of another program, or over TLS. */
  origin(): string | null
  /** Calls back with the events that browsers send. */
  onBrowserEvent(listener: (data: unknown) => void): void
}

export type ReceivedRequest = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly target: string
}

/** What the dev server uses of `@waymark/devtools`. */
export type Devtools = {
  readonly tracer: Tracer
  /** A middleware: the faults that browsers have switched on. */
  breakRequests(req: IncomingMessage, res: ServerResponse, next: () => void): void
  /** Puts the mark of the panel into a document. */
  mark(response: HandlerResponse): HandlerResponse
  /** Responds at the URLs of the devtools, below the app's path. @returns false at any other */
  handle(received: ReceivedRequest): Promise<boolean>
  /** Runs a request of the app, and writes its response. */
  follow(received: ReceivedRequest, run: () => Promise<HandlerResponse>): Promise<void>
}

export type DevtoolsPackage = {
  createDevtools(server: InspectedServer): Devtools
  /** Registers the panel as a dock. @param docks of Vite DevTools; https://devtools.vite.dev/kit/ */
  registerDock(docks: { register(entry: object): unknown }, basePath: string): void
  /** For the overlay and the terminal. */
  readonly explanations: readonly ExplanationRule[]
}

export const devtoolsPackage = '@waymark/devtools'

/** @param root of an app, which may do without the package */
export async function loadDevtools(root: string): Promise<DevtoolsPackage> {
  const file = findPackage(devtoolsPackage, root)
  return file === null ? missing : import(pathToFileURL(file).href)
}

const missing: DevtoolsPackage = {
  createDevtools: () => ({
    tracer: { record() {}, load: () => null },
    breakRequests: (_, __, next) => next(),
    mark: (response) => response,
    async handle({ res, target }) {
      if (!ownPath.test(target)) return false
      const part = { name: devtoolsPackage, neededFor: 'This part of the dev server' }
      const { message } = frameworkError('PACKAGE_NOT_INSTALLED', part)
      await writeResponse(res, plainText(501, message))
      return true
    },
    follow: async ({ res }, run) => writeResponse(res, await run()),
  }),
  registerDock() {},
  explanations: [],
}

const ownPath = new RegExp(`^${internalPrefix}(?:devtools/|(?:mcp|events|dev/errors)(?:[?/]|$))`)
