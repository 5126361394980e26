import { prefersJson, problemType } from '../../http/accept.ts'
import type { HandlerResponse, StreamedBody } from '../../http/response.ts'
import { followToEnd } from '../../http/stream.ts'
import { screenJson } from '../../screens/screenDocument.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
import { digestHeader, payloadType } from '../../wire/protocol.ts'
import { hostOf, wholeDocumentLink } from '../request/readRequest.ts'
import { decide } from './fallbacks.ts'
import { flightBody } from './flight.ts'
import { lateErrorMarkup } from './lateErrors.ts'
import { localeOf, localeRequest, type PageApp, type PageRequest } from './pageRequest.ts'
import { htmlType, pageResponse, redirectResponse } from './pageResponse.ts'
import type { PageFailure } from './pageRun.ts'
import { type DecidedPage, renderPage } from './renderPage.ts'
import { mainSegments, renderedFile } from './routeModules.ts'
import type { SlotPath } from './segments.ts'

// Never sent: the rendering failed because the client had left.
const clientLeft: HandlerResponse = { status: 499, headers: [], body: null }

/** @param known a failure of the page, whose fallback is shown */
export async function respondWithPage(
  page: PageRequest,
  app: PageApp,
  known: PageFailure<SlotPath | null> | null = null,
): Promise<HandlerResponse> {
  for (let failure = known; ; ) {
    const render = await renderPage(page, app, failure)
    if (render.decision.kind === 'redirect') {
      render.flight.abandon()
      return redirectResponse(render.decision, page.kind, app.buildId)
    }
    if (page.kind === 'data') {
      return pageResponse(render, app, [payloadType, flightBody(render.flight)])
    }
    if (isJson(page, render)) return respondWithJson(page, app, render)
    try {
      return await respondWithDocument(page, app, { render, failure })
    } catch (thrown) {
      render.flight.abandon()
      if (page.request.signal.aborted) return clientLeft
      if (render.isOutermost) throw thrown
      failure = failureInHtml(thrown, render, failure)
      const decision = decide([failure])
      if (decision.kind === 'redirect') return redirectResponse(decision, page.kind, app.buildId)
    }
  }
}

/** Where a client component stands, is not known: the nearest screen replaces the page. */
function failureInHtml(
  thrown: unknown,
  { place }: DecidedPage,
  earlier: PageFailure<SlotPath | null> | null,
): PageFailure<SlotPath | null> {
  // Nothing can be shown in a layout that is no document, in a browser neither.
  const isLayout = (thrown as { code?: unknown } | null)?.code === 'ROOT_LAYOUT_HTML'
  if (isLayout) return { thrown, place: null }
  const first = earlier?.rendersInBrowser ? earlier.thrown : thrown
  return { thrown: first, place, rendersInBrowser: true }
}

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
  { render, failure }: { render: DecidedPage; failure: PageFailure<SlotPath | null> | null },
): Promise<HandlerResponse> {
  const { flight, theme } = render
  const onError = (thrown: unknown) =>
    render.onError(failure && isAgain(thrown, failure.thrown) ? failure.thrown : thrown)
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
    streamErrorMarkup: (thrown) =>
      hasLeft ? '' : lateErrorMarkup(thrown, hostOf(page.request.origin), localeOf(page, app)),
    headStart: wholeHead(page) + documentHeadStart(page, app, theme),
    incompleteHead: mayBeReferred(page) ? wholeDocumentLink(page.shown.search) : '',
    nonce: page.scope.context.nonce(),
    hasFormKeys: page.scope.phase !== 'prerender',
    sealedUser: () => page.scope.sealedUser,
    formState: page.formState?.channel,
    clientFiles: render.needs.clientFiles,
    needsReact: render.needs.needsReact,
    rootFile: render.isOutermost ? undefined : rootFileOf(page),
  })
  htmlEnds?.()
  const sent = typeof body === 'string' ? body : untilClientLeft(body, leave)
  const response = pageResponse(render, app, [htmlType, sent])
  if (!page.shown.isWhole) return response
  return { ...response, headers: [...response.headers, ['link', canonicalLink(page)]] }
}

function canonicalLink({ shown }: PageRequest): string {
  return `<${addressOf(shown).replaceAll('>', '%3E')}>; rel="canonical"`
}

function addressOf({ pathname, search }: PageRequest['shown']): string {
  return withBasePath(pathname + search)
}

/** A document that waited has the URL of its page, where scripts run. */
function wholeHead({ shown, scope }: PageRequest): string {
  if (!shown.isWhole) return ''
  const nonce = scope.context.nonce()
  const url = JSON.stringify(addressOf(shown)).replaceAll('<', '\\u003c')
  const script = `history.replaceState(history.state,"",${url}+location.hash)`
  return `<script${nonce === undefined ? '' : ` nonce="${nonce}"`}>${script}</script>`
}

/**
 * Whether a document may refer browsers without scripts to the one that waits; a document that
 * they were referred to may not. Fetch Metadata §2: a refresh has no `sec-fetch-user`.
 */
export function mayBeReferred({ request, wantsFinalStatus, shown }: PageRequest): boolean {
  const { method, headers, origin } = request
  if (wantsFinalStatus || method !== 'GET') return false
  const isClick = headers.has('sec-fetch-user') || !headers.has('sec-fetch-site')
  return isClick || headers.get('referer') !== origin + addressOf(shown)
}

// What stands further out than its screen throws once more, and is one error all the same.
function isAgain(thrown: unknown, earlier: unknown): boolean {
  return thrown instanceof Error && earlier instanceof Error && thrown.stack === earlier.stack
}

function rootFileOf({ match }: PageRequest): string | undefined {
  const file = mainSegments(match.root).map(renderedFile).find(Boolean)
  return file ? `app/${file}` : undefined
}

export function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', neverThrows(act, undefined), { once: true })
}

/** HTML for the very start of a document's head, outside of React's tree. */
export function documentHeadStart(page: PageRequest, app: PageApp, theme: string | null): string {
  const ahead = app.theme.headStart(theme) + app.screens.headOf(localeRequest(page))
  return import.meta.env.DEV ? ahead + devNonce(page.scope.context.nonce()) : ahead
}

// Vite's client looks here for the nonce of its style sheets.
function devNonce(nonce: string | undefined): string {
  return nonce === undefined ? '' : `<meta property="csp-nonce" nonce="${nonce}">`
}

/** Calls back as soon as the reader of a body leaves, or the body breaks off. */
export function untilClientLeft(body: StreamedBody, onLeave: () => void): StreamedBody {
  return followToEnd(body, (isWhole) => {
    if (!isWhole) onLeave()
  })
}
