import { createElement, type ReactNode } from 'react'
import type { HandlerResponse } from '../../http/response.ts'
import { memoized } from '../../shared/maps.ts'
import type { HolePath, PartialShell, Payload } from '../../wire/payload.ts'
import { SignalError } from '../../wire/signals.ts'
import { type ClientNeeds, createClientNeeds } from '../page/clientNeeds.ts'
import { renderFlight } from '../page/flight.ts'
import { createFollowedPage } from '../page/followedPage.ts'
import { lateErrorMarkup } from '../page/lateErrors.ts'
import { localeOf, type PageApp, type PageRequest } from '../page/pageRequest.ts'
import { htmlType, pageResponse } from '../page/pageResponse.ts'
import { lastRowOf, loadRouteFiles, startRender } from '../page/renderPage.ts'
import { mayBeReferred, onAbort, untilClientLeft } from '../page/respondWithPage.ts'
import { hostOf, wholeDocumentLink } from '../request/readRequest.ts'
import { decodeOpenPayload, decodePayload, fillHoles, nodeAt, sourceOf } from './holes.ts'

/** A page whose shell is there. */
export type PartialPage = {
  readonly page: PageRequest
  readonly shell: PartialShell
  /** Called when the page has changed its shape, which makes the shell useless. */
  readonly onOutdated: () => void
}

/** Sends the shell at once. The whole page is rendered for its holes, and sent for these only. */
export function respondWithPartial(partial: PartialPage, app: PageApp): HandlerResponse {
  const { shell, page } = partial
  const left = new AbortController()
  const rest = fillShell(partial, app, left.signal)
  // The reader of the body gets the rejection.
  rest.catch(() => {})
  const nonce = page.scope.context.nonce() ?? ''
  const html = shell.nonce === '' ? shell.html : shell.html.replaceAll(shell.nonce, nonce)
  const link = mayBeReferred(page) ? wholeDocumentLink(page.shown.search) : ''
  const own = html.replace(wholeDocumentLink(''), () => link)
  const body = untilClientLeft(shellFirst(Buffer.from(own), rest), () => left.abort())
  return pageResponse({ status: 200, headers: [] }, app, [htmlType, body])
}

async function* shellFirst(shell: Uint8Array, rest: Promise<Rest>): AsyncGenerator<Uint8Array> {
  yield shell
  yield* await rest
}

/** What comes after the shell. */
type Rest = AsyncIterable<Uint8Array> | readonly Uint8Array[]

/** Fills the holes of a shell, once the shell is on its way. */
async function fillShell(partial: PartialPage, app: PageApp, left: AbortSignal): Promise<Rest> {
  const { page, shell } = partial
  // React begins in microtasks, and would keep the socket waiting until it has nothing to do.
  await new Promise(setImmediate)
  if (left.aborted) return []
  const needs = createClientNeeds()
  const rendering = renderPayload(page, app, { left, needs })
  // Each hole gets the rejection.
  rendering.catch(() => {})
  // What the holes load is on its way before the shell is written to Flight.
  await new Promise(setImmediate)
  const filled = fillHoles(await staticPayload(shell), shell.holes, (path) =>
    hole(path, partial, rendering),
  )
  const onError = (thrown: unknown) => {
    needs.requireReact()
    return left.aborted ? '' : app.report(thrown, page)
  }
  const live = app.live?.(createFollowedPage(page.scope))
  const model = live ? { ...filled, rendering: live.rendering } : filled
  const flight = renderFlight(model, onError, {
    lastRow: live && lastRowOf(live, needs),
    onClientFile: needs.addRenderedFile,
  })
  onAbort(left, flight.abandon)
  return app.resumeDocument(flight.channel, {
    shell,
    onError,
    streamErrorMarkup: (thrown) =>
      left.aborted ? '' : lateErrorMarkup(thrown, hostOf(page.request.origin), localeOf(page, app)),
    headStart: '',
    nonce: page.scope.context.nonce(),
    clientFiles: needs.clientFiles,
    needsReact: needs.needsReact,
  })
}

// Once, because elements are never changed.
const staticPayload = memoized(({ payload }: PartialShell) => decodeOpenPayload(payload))

/** Renders the whole page for its request. */
async function renderPayload(
  page: PageRequest,
  app: PageApp,
  { left, needs }: { readonly left: AbortSignal; readonly needs: ClientNeeds },
): Promise<Payload> {
  const { run, flight } = startRender(page, app, { files: await loadRouteFiles(page, app), needs })
  // The status was sent: whatever a layout or the page says of it comes too late.
  run.close()
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
    const found = await nodeAt(await rendering, sourceOf(path))
    if (found) return found.node as ReactNode
    onOutdated()
    const { pathname, search } = page.shown
    throw new SignalError({ kind: 'redirect', status: 307, location: pathname + search })
  })
}
