import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CacheEntry, InvalidationMode } from '../../cache/cacheDriver.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { MapStack } from '../../journal/sourceMaps.ts'
import { writeResponse } from '../../node/writeResponse.ts'
import type { Prerenderer } from '../../shared/cachedPage.ts'
import { frameworkError } from '../../shared/errors.ts'
import { packageHints, packageNotListed } from '../../shared/packageHints.ts'
import { internalPrefix } from '../../shared/protocol.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import type { Tracer } from '../../shared/trace.ts'
import type { ListedPackage } from '../config/definePackage.ts'
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

/** The parts of a dev server that devtools get. */
export type InspectedServer = {
  readonly options: Pick<ResolvedOptions, 'root' | 'appDir' | 'buildDir' | 'basePath' | 'theme'>
  readonly journal: Pick<JournalDriver, 'list'>
  readonly failures: Pick<DevFailures, 'detailOf'>
  readonly mapStack: MapStack
  /** Imports a package that the app installs. @throws `PACKAGE_NOT_INSTALLED` */
  loadPackage(specifier: string, neededFor: string): Promise<unknown>
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

/** What the dev server uses of devtools. */
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

/** The tools that a package adds to the dev server. */
export type DevtoolsPackage = {
  /** @param options those of the package */
  createDevtools(server: InspectedServer, options: object): Devtools
  /** For the overlay and the terminal. */
  readonly explanations: readonly ExplanationRule[]
}

/** Devtools with the options of their package. */
type LoadedDevtools = Pick<DevtoolsPackage, 'explanations'> & {
  create(server: InspectedServer): Devtools
}

/**
 * Loads the devtools of the package that has some.
 * @param packages those of the configuration; without devtools, their URLs say which package to list
 * @throws `PACKAGE_HOOK_TAKEN`
 */
export async function loadDevtools(packages: readonly ListedPackage[]): Promise<LoadedDevtools> {
  const [first, second] = packages.filter(({ devtools }) => devtools)
  if (first && second) {
    const names = [first.name, second.name]
    throw frameworkError('PACKAGE_HOOK_TAKEN', { hook: 'devtools', names })
  }
  if (!first?.devtools) return { create: () => missing, explanations: [] }
  const { module, name } = first.devtools
  const { createDevtools, explanations } = (await import(module.href))[name] as DevtoolsPackage
  return { create: (server) => createDevtools(server, first.options ?? {}), explanations }
}

const missing: Devtools = {
  tracer: { record() {}, load: () => null },
  breakRequests: (_, __, next) => next(),
  mark: (response) => response,
  async handle({ res, target }) {
    if (!ownPath.test(target)) return false
    const hint = packageHints.options.devtools
    const neededFor = 'This part of the dev server'
    const { message } = packageNotListed(neededFor, hint, { isBuilt: false })
    await writeResponse(res, plainText(501, message))
    return true
  },
  follow: async ({ res }, run) => writeResponse(res, await run()),
}

const ownPath = new RegExp(`^${internalPrefix}(?:devtools/|(?:mcp|events|dev/errors)(?:[?/]|$))`)
