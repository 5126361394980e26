import { createElement, type ReactNode } from 'react'
import { cacheStatusHeader } from '../../builds/cachedPage.ts'
import type { HandlerResponse } from '../../http/response.ts'
import { memoized } from '../../shared/maps.ts'
import type { HolePath, PartialShell, Payload } from '../../wire/payload.ts'
import { SignalError } from '../../wire/signals.ts'
import type { HandlerApp } from '../handlerApp.ts'
import { type ClientNeeds, createClientNeeds } from '../page/clientNeeds.ts'
import { withinDocumentLimit } from '../page/documentLimit.ts'
import { mayBeReferred, onAbort, untilClientLeft } from '../page/documentResponse.ts'
import { markupAfterStatus } from '../page/errorsAfterStatus.ts'
import { renderFlight } from '../page/flight.ts'
import { createFollowedPage, lastRowOf } from '../page/followedPage.ts'
import { createPageRequest, localeOf, type PageApp, type PageRequest } from '../page/pageRequest.ts'
import { htmlType, pageResponse } from '../page/pageResponse.ts'
import { startRendering } from '../page/renderPage.ts'
import { loadRouteFiles } from '../page/routeModules.ts'
import type { CacheableUrl } from '../pageCache/lookup.ts'
import { wholeDocumentLink } from '../request/completeDocument.ts'
import type { Exchange } from '../request/exchange.ts'
import { hostOf, wantsFinalStatus } from '../request/readRequest.ts'
import { decodeOpenPayload, decodePayload, fillHoles, nodeAt, sourceOf } from './holes.ts'

/**
 * Responds with a partially static page if its shell is cached.
 * @returns `null` if the whole page has to be rendered
 */
export async function respondFromShell(
  url: CacheableUrl,
  exchange: Exchange,
  app: HandlerApp,
): Promise<HandlerResponse | null> {
  const { request, address, scope } = exchange
  // A cached shell is sent before the status is known, but crawlers need the real status.
  if (address.isWhole || wantsFinalStatus(request)) return null
  const cached = await app.pageCache.partial(url)
  if (cached === null) return null
  if (cached.kind === 'response') return cached.response
  const { shell, state, discard } = cached
  // Tell the client that its page shows outdated data.
  if (state === 'stale' && scope.context.life) scope.context.life.isStale = true
  const partial = { page: createPageRequest(exchange, app), shell, onOutdated: discard }
  const response = await withinDocumentLimit(exchange, app, () => respondWithPartial(partial, app))
  return { ...response, headers: [...response.headers, [cacheStatusHeader, state]] }
}

/** A page with a cached shell. */
type PartialPage = {
  readonly page: PageRequest
  readonly shell: PartialShell
  /** Called if the page's shape has changed, so that the shell is useless. */
  readonly onOutdated: () => void
}

/**
 * Sends the shell at once. The whole page is rendered, but only the content of the holes is sent.
 */
function respondWithPartial(partial: PartialPage, app: PageApp): HandlerResponse {
  const { shell, page } = partial
  const left = new AbortController()
  const rest = fillShell(partial, app, left.signal)
  // The body's reader handles the rejection later, so prevent an unhandled one now.
  rest.catch(() => {})
  const nonce = page.scope.context.nonce() ?? ''
  const html = shell.nonce === '' ? shell.html : shell.html.replaceAll(shell.nonce, nonce)
  const link = mayBeReferred(page) ? wholeDocumentLink(page.address.search) : ''
  const shellHtml = html.replace(wholeDocumentLink(''), () => link)
  const body = untilClientLeft(shellFirst(Buffer.from(shellHtml), rest), () => left.abort())
  return pageResponse({ status: 200, headers: [] }, app, [htmlType, body])
}

async function* shellFirst(shell: Uint8Array, rest: Promise<Rest>): AsyncGenerator<Uint8Array> {
  yield shell
  yield* await rest
}

/** Bytes of the document after the shell. */
type Rest = AsyncIterable<Uint8Array> | readonly Uint8Array[]

/** Fills a shell's holes while the shell is being sent. */
async function fillShell(partial: PartialPage, app: PageApp, left: AbortSignal): Promise<Rest> {
  const { page, shell } = partial
  // React runs in microtasks and would keep the socket waiting, so let the socket send the shell
  // first.
  await new Promise(setImmediate)
  if (left.aborted) return []
  const clientNeeds = createClientNeeds()
  const rendering = renderPayload(page, app, { left, clientNeeds })
  // Each hole rejects with the same error, so prevent an unhandled rejection here.
  rendering.catch(() => {})
  // Components in the holes should start to load their data before the shell is encoded.
  await new Promise(setImmediate)
  const filled = fillHoles(await staticPayload(shell), shell.holes, (path) =>
    hole(path, partial, rendering),
  )
  const onError = (thrown: unknown) => {
    clientNeeds.requireReact()
    return left.aborted ? '' : app.report(thrown, page)
  }
  const followed = app.followPage?.(createFollowedPage(page.scope))
  const model = followed ? { ...filled, rendering: followed.rendering } : filled
  const flight = renderFlight(model, onError, {
    lastRow: followed && lastRowOf(followed, clientNeeds),
    onClientFile: clientNeeds.addRenderedFile,
  })
  onAbort(left, flight.abandon)
  return app.resumeDocument(flight.channel, {
    shell,
    onError,
    streamErrorMarkup: (thrown) =>
      left.aborted
        ? ''
        : markupAfterStatus(thrown, hostOf(page.request.origin), localeOf(page, app)),
    headStart: '',
    nonce: page.scope.context.nonce(),
    clientFiles: clientNeeds.clientFiles,
    variant: app.variant,
    needsReact: clientNeeds.needsReact,
  })
}

// Elements never change, so each shell's payload is decoded only once.
const staticPayload = memoized(({ payload }: PartialShell) => decodeOpenPayload(payload))

/** Renders the whole page for one request. */
async function renderPayload(
  page: PageRequest,
  app: PageApp,
  { left, clientNeeds }: { readonly left: AbortSignal; readonly clientNeeds: ClientNeeds },
): Promise<Payload> {
  const files = await loadRouteFiles(page, app)
  const { pageStatus, flight } = startRendering(page, app, { files, clientNeeds })
  // The shell was sent with status 200, which layouts and the page can't change any more.
  pageStatus.close()
  onAbort(left, flight.abandon)
  return decodePayload(flight.channel)
}

function hole(
  path: HolePath,
  { page, onOutdated }: PartialPage,
  rendering: Promise<Payload>,
): ReactNode {
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(async function Hole() {
    const slot = await nodeAt(await rendering, sourceOf(path))
    if (slot) return slot.node as ReactNode
    onOutdated()
    const { pathname, search } = page.address
    throw new SignalError({ kind: 'redirect', status: 307, location: pathname + search })
  })
}
