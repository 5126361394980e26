import { screenJson } from '../../screens/json.ts'
import { prefersJson, problemType } from '../../shared/accept.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
import { digestHeader, payloadType } from '../../shared/protocol.ts'
import type { HandlerResponse, StreamedBody } from '../../shared/response.ts'
import { followBody } from '../request/followBody.ts'
import { hostOf } from '../request/readRequest.ts'
import { flightBody } from './flight.ts'
import { lateErrorMarkup } from './lateErrors.ts'
import { localeOf, localeRequest, type PageApp, type PageRequest } from './pageRequest.ts'
import { htmlType, pageResponse, redirectResponse } from './pageResponse.ts'
import { type DecidedPage, renderPage } from './renderPage.ts'
import { mainLine, renderedFile } from './routeModules.ts'
import { inertClientComponents, type SlotPath } from './segments.ts'
import type { Failure } from './statusGate.ts'

// Never sent: the rendering failed because the client had left.
const clientLeft: HandlerResponse = { status: 499, headers: [], body: null }

/**
 * Responds with a page: route files → elements → Flight → (HTML).
 * @param known a failure of it, whose fallback is shown
 */
export async function respondWithPage(
  page: PageRequest,
  app: PageApp,
  known: Failure<SlotPath | null> | null = null,
): Promise<HandlerResponse> {
  const render = await renderPage(page, app, known)
  if (render.decision.kind === 'redirect') {
    render.flight.abandon()
    return redirectResponse(render.decision, page.kind, app.buildId)
  }
  if (page.kind === 'data') {
    return pageResponse(render, app, [payloadType, flightBody(render.flight)])
  }
  if (isJson(page, render)) return respondWithJson(page, app, render)
  try {
    return await respondWithDocument(page, app, render)
  } catch (thrown) {
    // A client component failed outside of any Suspense: its error screen is rendered instead.
    render.flight.abandon()
    if (page.request.signal.aborted) return clientLeft
    if (render.isOutermost) throw thrown
    // Nothing can be shown in a layout that is no document.
    const isLayout = (thrown as { code?: unknown } | null)?.code === 'ROOT_LAYOUT_HTML'
    const place = isLayout ? null : render.place
    const again = await renderPage(page, app, { thrown, place })
    return respondWithDocument(page, app, again)
  }
}

/** Tells whether a fallback goes to a program, which prefers JSON to HTML. */
function isJson({ request, scope }: PageRequest, { status }: DecidedPage): boolean {
  if (status < 400 || scope.phase === 'prerender') return false
  return prefersJson(request.headers.get('accept'))
}

function respondWithJson(page: PageRequest, app: PageApp, render: DecidedPage): HandlerResponse {
  render.flight.abandon()
  const { status, headers } = render
  const digest = headers.find(([name]) => name === digestHeader)?.[1]
  const body = screenJson({ status, digest, locale: localeOf(page, app) })
  return pageResponse(render, app, [problemType, body])
}

async function respondWithDocument(
  page: PageRequest,
  app: PageApp,
  render: DecidedPage,
): Promise<HandlerResponse> {
  const { flight, onError, theme } = render
  let hasLeft = false
  const leave = () => {
    hasLeft = true
    flight.abandon()
  }
  // A client may leave before there is anything to send.
  if (!flight.channel.ended) onAbort(page.request.signal, leave)
  const htmlEnds = page.scope.context.timings?.start('html')
  const body = await app.renderDocument(flight.channel, {
    // What is missing from an abandoned rendering is no failure.
    onError: (thrown) => (hasLeft ? '' : onError(thrown)),
    lateMarkup: (thrown) =>
      hasLeft ? '' : lateErrorMarkup(thrown, hostOf(page.request.origin), localeOf(page, app)),
    headStart: documentHeadStart(page, app, theme),
    nonce: page.scope.context.nonce(),
    hasFormKeys: page.scope.phase !== 'prerender',
    formState: page.formState?.channel,
    passive: inertClientComponents,
    rootFile: render.isOutermost ? undefined : rootFileOf(page),
  })
  htmlEnds?.()
  // When the client leaves, both renderers stop: Fizz, and Flight behind it.
  const sent = typeof body === 'string' ? body : untilClientLeft(body, leave)
  return pageResponse(render, app, [htmlType, sent])
}

function rootFileOf({ match }: PageRequest): string | undefined {
  const file = mainLine(match.root).map(renderedFile).find(Boolean)
  return file ? `app/${file}` : undefined
}

/** Calls a function once a signal aborts, at once if it has. */
export function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', neverThrows(act, undefined), { once: true })
}

/** HTML for the very start of a document's head, outside of React's tree. */
export function documentHeadStart(page: PageRequest, app: PageApp, theme: string | null): string {
  const ahead = app.theme.headStart(theme) + app.screens.headOf(localeRequest(page))
  return import.meta.env.DEV ? ahead + devNonce(page.scope.context.nonce()) : ahead
}

// Vite's client puts its style sheets into the page by itself, and looks for their nonce here.
function devNonce(nonce: string | undefined): string {
  return nonce === undefined ? '' : `<meta property="csp-nonce" nonce="${nonce}">`
}

/**
 * Tells when the reader of a body goes away, or the body breaks off: at once, also before the
 * first piece and while the next one is awaited.
 */
export function untilClientLeft(body: StreamedBody, onLeave: () => void): StreamedBody {
  return followBody(body, {
    onEnd(isWhole) {
      if (!isWhole) onLeave()
    },
    onLeave({ close }) {
      onLeave()
      return close()
    },
  })
}
