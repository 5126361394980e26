import { createElement, type ReactNode } from 'react'
import type { HolePath, PartialShell, Payload } from '../../shared/payload.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import { SignalError } from '../../shared/signals.ts'
import { untilClientLeft } from '../page/answerPage.ts'
import { renderFlight } from '../page/flight.ts'
import { lateErrorMarkup } from '../page/lateErrors.ts'
import { localeOf, type PageApp, type PageRequest } from '../page/pageRequest.ts'
import { htmlType, pageResponse } from '../page/pageResponse.ts'
import { inertClientComponents } from '../page/segments.ts'
import { loadRouteFiles, startRender } from '../page/startRender.ts'
import { hostOf } from '../request/readRequest.ts'
import { decodeOpenPayload, decodePayload } from './decodePayload.ts'
import { fillHoles, nodeAt, sourceOf } from './holes.ts'

/** A page whose shell is there. */
export type PartialPage = {
  readonly page: PageRequest
  readonly shell: PartialShell
  /** Called when the page has changed its shape, which makes the shell useless. */
  readonly onOutdated: () => void
}

/**
 * Answers a page with its shell at once, and with what belongs into the holes as it comes. The
 * whole page is rendered for that; of what it gives, only the holes' contents are sent.
 */
export function answerPartial(partial: PartialPage, app: PageApp): HandlerResponse {
  const { shell, page } = partial
  const filling = fillShell(partial, app)
  const body = shellFirst(Buffer.from(shellHtml(shell, page.scope.context.nonce())), filling.body)
  const answer = { status: 200, headers: [] }
  return pageResponse(answer, app, [htmlType, untilClientLeft(body, filling.leave)])
}

function shellHtml({ html, nonce: placeholder }: PartialShell, nonce: string | undefined): string {
  return placeholder === '' ? html : html.replaceAll(placeholder, nonce ?? '')
}

/** What comes after the shell. */
type Filling = {
  readonly body: Promise<AsyncIterator<Uint8Array>>
  /** Ends it: its reader has left. */
  readonly leave: () => void
}

/** Fills the holes of a shell, once the shell is on its way. */
function fillShell(partial: PartialPage, app: PageApp): Filling {
  const { page, shell } = partial
  let hasLeft = false
  let abandon = () => {}

  async function fill(): Promise<AsyncIterator<Uint8Array>> {
    // React begins in microtasks, and would keep the socket waiting until it has nothing to do.
    await new Promise(setImmediate)
    if (hasLeft) return nothing
    const rendering = createRendering(page, app)
    // What the holes load is on its way before the shell is written to Flight.
    await new Promise(setImmediate)
    const filled = fillHoles(await staticPayload(shell), shell.holes, (path) =>
      hole(path, partial, rendering.payload),
    )
    const onError = (thrown: unknown) => (hasLeft ? '' : app.report(thrown, page))
    const flight = renderFlight(filled, onError)
    abandon = () => {
      flight.abandon()
      rendering.abandon()
    }
    if (hasLeft) abandon()
    const rest = await app.resumeDocument(flight.channel, {
      shell,
      onError,
      lateMarkup: (thrown) =>
        hasLeft ? '' : lateErrorMarkup(thrown, hostOf(page.request.origin), localeOf(page, app)),
      headStart: '',
      nonce: page.scope.context.nonce(),
      passive: inertClientComponents,
    })
    return rest[Symbol.asyncIterator]()
  }

  const body = fill()
  // Its reader gets the rejection.
  body.catch(() => {})
  return {
    body,
    leave() {
      hasLeft = true
      abandon()
    },
  }
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined }
const nothing: AsyncIterator<Uint8Array> = { next: async () => over }

function shellFirst(
  shell: Uint8Array,
  rest: Promise<AsyncIterator<Uint8Array>>,
): AsyncIterable<Uint8Array> {
  let isSent = false
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (isSent) return (await rest).next()
        isSent = true
        return { done: false, value: shell }
      },
      async return() {
        await (await rest).return?.()
        return over
      },
    }),
  }
}

// Decoded once: elements are never changed.
const decoded = new WeakMap<PartialShell, Promise<Payload>>()

function staticPayload(shell: PartialShell): Promise<Payload> {
  const payload = decoded.get(shell) ?? decodeOpenPayload(shell.payload)
  decoded.set(shell, payload)
  return payload
}

/** Renders the whole page for its request. */
function createRendering(page: PageRequest, app: PageApp) {
  let abandon: (() => void) | null = null
  let isAbandoned = false
  async function begin(): Promise<Payload> {
    const { gate, flight } = startRender(page, app, { files: await loadRouteFiles(page, app) })
    // The status was sent: whatever a layout or the page says of it comes too late.
    gate.close()
    abandon = flight.abandon
    if (isAbandoned) abandon()
    return decodePayload(flight.channel)
  }
  const payload = begin()
  // Each hole gets the rejection.
  payload.catch(() => {})
  return {
    payload,
    abandon() {
      isAbandoned = true
      abandon?.()
    },
  }
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
