import { createElement, type ReactElement } from 'react'
import { createDependencyTracker, type DependencyTracker } from '../../cache/cacheLife.ts'
import type { RouteMatch } from '../../routing/match.ts'
import { createDigest } from '../../shared/errorReport.ts'
import type { HolePath, PartialShell, Payload } from '../../shared/payload.ts'
import { encodeSignal, signalOf } from '../../shared/signals.ts'
import { type ByteChannel, createByteChannel } from '../../shared/stream.ts'
import type { HandlerApp } from '../dispatch.ts'
import { documentHeadStart } from '../page/answerPage.ts'
import { renderFlight } from '../page/flight.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { inertClientComponents, loadingKeys } from '../page/segments.ts'
import { loadRouteFiles, type PageRender, startRender } from '../page/startRender.ts'
import { anonymousRequest } from '../request/readRequest.ts'
import { createScope, type RequestScope, runInScope } from '../request/scope.ts'
import { hashPayload } from '../security/staticCsp.ts'
import { bytesOfPieces, decodeOpenPayload } from './decodePayload.ts'
import { fillHoles, findHoles } from './holes.ts'

/** What rendering the shell of a page came to. */
export type RenderedShell =
  | { readonly kind: 'partial'; readonly shell: PartialShell; readonly life: DependencyTracker }
  /** Nothing of it waits for a request: it is a static page. */
  | { readonly kind: 'whole' }
  /** There is no shell: `reason` completes the sentence "dynamic: uses …". */
  | { readonly kind: 'dynamic'; readonly reason: string }
  | { readonly kind: 'failed'; readonly thrown: unknown }

// What stands inside of Suspense and takes longer than that is rendered for each request, like
// what waits for one: the two can't be told apart.
const insideQuietMs = 500
// What stands outside holds the whole page up, so it gets longer.
const outsideQuietMs = 5_000

/** Renders what is the same for everybody of a page that is static in part. */
export function renderShell(match: RouteMatch, pathname: string, app: HandlerApp) {
  const failures: unknown[] = []
  const life = createDependencyTracker()
  const nonce = app.security.policy === null ? undefined : app.security.createNonce()
  const parts: HandlerApp = { ...app, report: reportTo(failures) }
  const scope = shellScope(pathname, parts, { life, nonce })
  scope.match = match
  return runInScope(scope, async (): Promise<RenderedShell> => {
    const page = shellPage(match, pathname, scope)
    const begun = startRender(page, parts, { files: await loadRouteFiles(page, parts) })
    try {
      const found = await findShell(begun, page, failures)
      if (found.kind !== 'holes') return found
      const { pieces, holes } = found
      const document = await renderDocument(found, begun, { page, app: parts })
      const [thrown] = failures
      if (thrown !== undefined) return { kind: 'failed', thrown }
      if (document === null) return { kind: 'dynamic', reason: `${scope.usage.reason} too early` }
      const payload = bytesOfPieces(nonce === undefined ? pieces : hashPayload(pieces, nonce))
      return { kind: 'partial', life, shell: { ...document, nonce: nonce ?? '', payload, holes } }
    } finally {
      begun.flight.abandon()
    }
  })
}

/** The build reports a failure with the name of the route; its screen is never shown. */
function reportTo(failures: unknown[]): HandlerApp['report'] {
  return (thrown) => {
    const signal = signalOf(thrown)
    if (signal) return encodeSignal(signal)
    failures.push(thrown)
    return createDigest(Date.now(), Math.random())
  }
}

function shellScope(
  pathname: string,
  { theme, cache, readCached, drafts }: HandlerApp,
  { life, nonce }: { life: DependencyTracker; nonce: string | undefined },
): RequestScope {
  return createScope({
    request: anonymousRequest(pathname),
    phase: 'prerender',
    url: { pathname, search: '' },
    theme: theme.config,
    cache,
    readCached,
    drafts,
    life,
    createNonce: () => nonce,
    // With a listener, what a request brings never settles.
    onDynamic() {},
    // Nothing is sent, so nothing comes after it.
    onAfterError() {},
  })
}

function shellPage(match: RouteMatch, pathname: string, scope: RequestScope): PageRequest {
  return {
    kind: 'document',
    match,
    status: 200,
    pathname,
    search: '',
    shown: { pathname, search: '' },
    origin: null,
    request: scope.request,
    scope,
    held: new Set(),
    isPatient: false,
  }
}

type FoundShell = {
  readonly kind: 'holes'
  readonly pieces: readonly (string | Uint8Array)[]
  readonly payload: Payload
  readonly holes: readonly HolePath[]
}

/** Waits until nothing more comes that is the same for everybody. */
async function findShell(
  { flight: { channel }, gate, cutHead }: PageRender,
  { scope, match }: PageRequest,
  failures: readonly unknown[],
): Promise<FoundShell | Exclude<RenderedShell, { kind: 'partial' }>> {
  const loading = loadingKeys(match.root)
  let seen = 0
  for await (const quietMs of watchIdle(channel)) {
    const [thrown] = [...failures, ...gate.failures.map((failure) => failure.thrown)]
    if (thrown !== undefined) return refused(thrown)
    if (channel.ended) return { kind: 'whole' }
    const { reason } = scope.usage
    if (reason === null) continue
    if (quietMs >= outsideQuietMs)
      return { kind: 'dynamic', reason: `${reason} outside of Suspense` }
    if (quietMs < insideQuietMs || channel.pieces.length === seen) continue
    // What has not let this request pass by now waits for one, and may refuse it.
    cutHead()
    await written()
    const pieces = [...channel.pieces]
    seen = pieces.length
    const payload = await decodeOpenPayload(bytesOfPieces(pieces))
    const { holes, isOpen } = findHoles(payload, (key) => loading.has(key))
    if (!isOpen && holes.length > 0) return { kind: 'holes', pieces, payload, holes }
  }
  return { kind: 'whole' }
}

function refused(thrown: unknown): Exclude<RenderedShell, { kind: 'partial' }> {
  return signalOf(thrown)
    ? { kind: 'dynamic', reason: 'a redirect or a fallback screen' }
    : { kind: 'failed', thrown }
}

/** @returns `null` when React could not get to the end of what stands outside of the holes */
async function renderDocument(
  { payload, holes }: FoundShell,
  { theme, onError }: PageRender,
  { page, app }: { page: PageRequest; app: HandlerApp },
): Promise<Pick<PartialShell, 'html' | 'postponed'> | null> {
  const { channel, abandon } = renderFlight(fillHoles(payload, holes, emptyHole), onError)
  await written()
  const shell = createByteChannel()
  for (const piece of channel.pieces) shell.destination.write(piece)
  abandon()
  return app.renderShell(shell, {
    onError,
    headStart: documentHeadStart(page, app, theme),
    nonce: page.scope.context.nonce(),
    passive: inertClientComponents,
  })
}

/** What is there already is written in a few turns. */
async function written(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
}

function emptyHole(): ReactElement {
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(async function Hole() {
    return new Promise<never>(() => {})
  })
}

const lookEveryMs = 25

/**
 * Watches a channel that may never end.
 * @returns from time to time, for how many milliseconds nothing was written; over when it has
 *   ended
 */
export async function* watchIdle(
  channel: Pick<ByteChannel, 'listen' | 'ended'>,
  now: () => number = () => performance.now(),
): AsyncGenerator<number> {
  let writtenAtMs = now()
  channel.listen({
    piece() {
      writtenAtMs = now()
    },
    end() {},
    fail() {},
  })
  while (!channel.ended) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    yield now() - writtenAtMs
  }
}
