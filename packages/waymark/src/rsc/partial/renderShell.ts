import { createElement, type ReactElement } from 'react'
import type { PrerenderedUrl } from '../../builds/cachedPage.ts'
import { createDependencyTracker, type DependencyTracker } from '../../cache/cacheLife.ts'
import { type ByteChunk, createByteChannel, joinPieces } from '../../http/stream.ts'
import { carriedDigest } from '../../journal/reportError.ts'
import type { RouteMatch } from '../../routing/match.ts'
import { createDigest } from '../../wire/errorReport.ts'
import type { HolePath, PartialShell, Payload } from '../../wire/payload.ts'
import { encodeSignal, signalOf } from '../../wire/signals.ts'
import type { HandlerApp } from '../handlerApp.ts'
import { documentHeadStart } from '../page/documentResponse.ts'
import { renderFlight, whenIdle } from '../page/flight.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { type PageRendering, startRendering } from '../page/renderPage.ts'
import { readRenderingConfig } from '../page/routeConfig.ts'
import { filesOf, loadRouteFiles } from '../page/routeModules.ts'
import { loadingKeys } from '../page/segments.ts'
import type { CacheableUrl } from '../pageCache/lookup.ts'
import type { PageCache } from '../pageCache/pageCache.ts'
import { wholeDocumentLink } from '../request/completeDocument.ts'
import { anonymousRequest } from '../request/readRequest.ts'
import { createScope, type ReadCached, runInScope, type ScopeOptions } from '../request/scope.ts'
import { hashPayload } from '../security/csp.ts'
import { decodeOpenPayload, fillHoles, findHoles } from './holes.ts'

export type RenderedShell =
  | {
      readonly kind: 'partial'
      readonly shell: PartialShell
      readonly life: DependencyTracker
      /**
       * Errors of client components inside Suspense. The browser renders these components itself.
       */
      readonly leftToBrowser: readonly unknown[]
    }
  /** No part waits for a request, so the page is static. */
  | { readonly kind: 'whole' }
  /** There is no shell. `reason` completes the sentence "dynamic: uses …". */
  | Extract<PrerenderedUrl, { kind: 'dynamic' }>
  | Extract<PrerenderedUrl, { kind: 'failed' }>

// Milliseconds to wait for parts inside Suspense. A part that takes longer looks as if it waited
// for a request, so it is rendered for each request.
const insideQuietMs = 500
// Milliseconds to wait for parts outside of Suspense, and for cached functions. They get more time:
// the former would otherwise delay every request for the page, and the results of the latter are
// the same for everybody.
const longestQuietMs = 5_000
const lookEveryMs = 25

/** Renders the part of a partially static page that is the same for everybody. */
export function renderSharedShell(match: RouteMatch, pathname: string, app: HandlerApp) {
  const failures: unknown[] = []
  const leftToBrowser: unknown[] = []
  const life = createDependencyTracker()
  const nonce = app.security.policy === null ? undefined : app.security.createNonce()
  const reads = { running: 0, endedAtMs: 0 }
  const readCached: ReadCached = (...args) => {
    reads.running++
    return app.readCached(...args).finally(() => {
      reads.running--
      reads.endedAtMs = performance.now()
    })
  }
  const shellApp: HandlerApp = { ...app, report: collectFailures(failures), readCached }
  let stack: string | undefined
  const page = shellPage(match, pathname, shellApp, {
    life,
    createNonce: () => nonce,
    // Only with this listener do promises for request data stay pending.
    onDynamic: (_, readingStack) => {
      stack = readingStack
    },
  })
  return runInScope(page.scope, async (): Promise<RenderedShell> => {
    const files = await loadRouteFiles(page, shellApp)
    const rendering = startRendering(page, shellApp, { files })
    try {
      const payloadShell = await findShell(rendering, page, { failures, reads })
      if (payloadShell.kind === 'dynamic') return { ...payloadShell, stack }
      if (payloadShell.kind !== 'holes') return payloadShell
      const { pieces, holes } = payloadShell
      const onError = leaveToBrowser(leftToBrowser, rendering.onError)
      const context = { page, app: shellApp }
      const document = await renderDocument(payloadShell, { ...rendering, onError }, context)
      const [thrown] = failures
      if (thrown !== undefined) return { kind: 'failed', thrown }
      const { reason } = page.scope.usage
      if (document === null) return { kind: 'dynamic', reason: `${reason} too early`, stack }
      const payload = joinPieces(nonce === undefined ? pieces : hashPayload(pieces, nonce))
      return {
        kind: 'partial',
        life,
        leftToBrowser,
        shell: { ...document, nonce: nonce ?? '', payload, holes },
      }
    } catch (thrown) {
      if (!leftToBrowser.includes(thrown)) throw thrown
      return { kind: 'failed', thrown, rendersInBrowser: true }
    } finally {
      rendering.flight.abandon()
    }
  })
}

/** Creates a `report` function that collects failures. The build reports each with its route. */
export function collectFailures(failures: unknown[]): HandlerApp['report'] {
  return (thrown) => {
    const signal = signalOf(thrown)
    if (signal) return encodeSignal(signal)
    failures.push(thrown)
    return createDigest(Date.now(), Math.random())
  }
}

/**
 * Creates an `onError` function that collects the errors of client components, because a browser
 * may be able to render them.
 */
export function leaveToBrowser(
  thrownByClient: unknown[],
  onError: (thrown: unknown) => string,
): (thrown: unknown) => string {
  return (thrown) => {
    const isOurs = thrown instanceof Error && thrown.name === 'FrameworkError'
    // Skip errors of server components, because Flight has already reported them.
    if (isOurs || signalOf(thrown) || carriedDigest(thrown) !== undefined) return onError(thrown)
    thrownByClient.push(thrown)
    return createDigest(Date.now(), Math.random())
  }
}

function shellPage(
  match: RouteMatch,
  pathname: string,
  { theme, cache, readCached, drafts, users }: HandlerApp,
  options: Pick<ScopeOptions, 'life' | 'createNonce' | 'onDynamic'>,
): PageRequest {
  const request = anonymousRequest(pathname)
  const url = { pathname, search: '' }
  const scope = createScope({
    ...options,
    request,
    phase: 'prerender',
    url,
    theme: theme.config,
    cache,
    readCached,
    drafts,
    users,
    onAfterError: () => '',
  })
  Object.assign(scope, { match, root: match.root })
  return {
    ...url,
    kind: 'document',
    match,
    status: 200,
    address: url,
    origin: null,
    request,
    scope,
    mounted: new Set(),
    wantsFinalStatus: false,
  }
}

/** Counts the calls to cached functions, whose results are the same for everybody. */
type CachedReads = { readonly running: number; readonly endedAtMs: number }

type PayloadShell = {
  readonly kind: 'holes'
  readonly pieces: readonly ByteChunk[]
  readonly payload: Payload
  readonly holes: readonly HolePath[]
}

async function findShell(
  { flight: { channel }, pageStatus, sendDecidedHead }: PageRendering,
  { scope, match }: PageRequest,
  { failures, reads }: { readonly failures: readonly unknown[]; readonly reads: CachedReads },
): Promise<PayloadShell | Exclude<RenderedShell, { kind: 'partial' }>> {
  const loading = loadingKeys(match.root)
  let written = { count: 0, atMs: performance.now() }
  let decodedCount = 0
  while (!channel.ended) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    const [thrown] = [...failures, ...pageStatus.failures.map((failure) => failure.thrown)]
    if (thrown !== undefined) return refused(thrown)
    if (channel.ended) break
    const { length: count } = channel.pieces
    if (count > written.count) written = { count, atMs: performance.now() }
    const quietMs = performance.now() - Math.max(written.atMs, reads.endedAtMs)
    const isOverdue = quietMs >= longestQuietMs
    const isQuiet = quietMs >= insideQuietMs && reads.running === 0 && count > decodedCount
    const { reason } = scope.usage
    if (reason === null || (!isQuiet && !isOverdue)) continue
    // Send the head of the layouts that have rendered. A pending layout waits for a request, which
    // it may refuse.
    sendDecidedHead()
    await whenIdle(channel)
    const pieces = [...channel.pieces]
    decodedCount = pieces.length
    const payload = await decodeOpenPayload(joinPieces(pieces))
    const { holes, isOpen } = findHoles(payload, (key) => loading.has(key))
    if (!isOpen && holes.length > 0) return { kind: 'holes', pieces, payload, holes }
    if (isOverdue) return { kind: 'dynamic', reason: `${reason} outside of Suspense` }
  }
  return { kind: 'whole' }
}

function refused(thrown: unknown): Exclude<RenderedShell, { kind: 'partial' }> {
  return signalOf(thrown)
    ? { kind: 'dynamic', reason: 'a redirect or a fallback screen' }
    : { kind: 'failed', thrown }
}

/**
 * Renders the shell's document. @returns `null` if React couldn't finish the parts outside of the
 * holes
 */
async function renderDocument(
  { payload, holes }: PayloadShell,
  { theme, onError, clientNeeds }: PageRendering,
  { page, app }: { page: PageRequest; app: HandlerApp },
): Promise<Pick<PartialShell, 'html' | 'postponed'> | null> {
  const { channel, abandon } = renderFlight(fillHoles(payload, holes, emptyHole), onError)
  await whenIdle(channel)
  const shell = createByteChannel()
  for (const piece of channel.pieces) shell.destination.write(piece)
  abandon()
  return app.renderShell(shell, {
    onError,
    // This link has no query. Each request replaces it with a link that has its own.
    headStart: wholeDocumentLink('') + documentHeadStart(page, app, theme),
    nonce: page.scope.context.nonce(),
    clientFiles: clientNeeds.clientFiles,
    variant: app.variant,
    needsReact: clientNeeds.needsReact,
  })
}

function emptyHole(): ReactElement {
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(async function Hole() {
    return new Promise<never>(() => {})
  })
}

/** The parts of an app that the dev server needs to check shells. */
export type ShellCheckOptions = {
  readonly app: () => HandlerApp
  readonly log: (line: string) => void
}

/**
 * Creates the dev server's page cache, which caches nothing, so that changes show at once. Once
 * after each edit, it reports why a page with `dynamic = 'partial'` can't have a shell.
 */
export function createShellCheck({ app, log }: ShellCheckOptions): PageCache {
  const checked = new Set<string>()

  async function check({ pathname, pattern }: CacheableUrl): Promise<void> {
    const reason = await reasonForNoShell(pathname, app())
    if (reason !== null) log(noShellLine(pattern, reason))
  }

  return {
    isStatic: () => true,
    find: () => null,
    respond: async () => null,
    isPartial: () => true,
    async partial(url) {
      if (url.kind === 'data' || checked.has(url.pattern)) return null
      checked.add(url.pattern)
      // The requested page throws the same error itself.
      check(url).catch(() => {})
      return null
    },
    attachBuilt() {},
  }
}

async function reasonForNoShell(pathname: string, app: HandlerApp): Promise<string | null> {
  const match = app.matcher.match(pathname)
  if (match?.leaf !== 'page') return null
  const files = await Promise.all(filesOf(match.root).map(app.modules.load))
  if (readRenderingConfig(files).dynamic !== 'partial') return null
  const rendered = await renderSharedShell(match, pathname, app)
  return rendered.kind === 'dynamic' ? rendered.reason : null
}

function noShellLine(pattern: string, reason: string): string {
  return `${pattern} exports dynamic = 'partial', but the build can't make a shell for the page, because it uses ${reason}. Move the code that reads the request into <Suspense>. Otherwise the whole page is rendered for each request.`
}
