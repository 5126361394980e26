import type { HandlerResponse, HeaderLines, StreamedBody } from '../../http/response.ts'
import { followToEnd } from '../../http/stream.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
import { wholeDocumentLink } from '../request/completeDocument.ts'
import { hostOf } from '../request/readRequest.ts'
import { observed } from '../request/serverObserver.ts'
import type { ClientNeeds } from './clientNeeds.ts'
import { markupAfterStatus } from './errorsAfterStatus.ts'
import type { FlightRender } from './flight.ts'
import { localeOf, localeRequest, type PageApp, type PageRequest } from './pageRequest.ts'
import { htmlType, pageResponse } from './pageResponse.ts'
import type { PageFailure } from './pageStatus.ts'
import { mainSegments, renderedFile } from './routeModules.ts'

/** The parts of a rendered page that its document needs. */
type DocumentPage = {
  readonly status: number
  readonly headers: HeaderLines
  readonly flight: FlightRender
  readonly theme: string | null
  readonly clientNeeds: ClientNeeds
  readonly onError: (thrown: unknown) => string
  readonly isOutermost: boolean
}

type DocumentContext = {
  readonly page: PageRequest
  readonly app: PageApp
  /** The failure whose fallback the page shows. */
  readonly failure: PageFailure | null
}

/** Renders the HTML of a page from its payload. @throws errors from the shell */
export async function documentResponse(
  rendered: DocumentPage,
  { page, app, failure }: DocumentContext,
): Promise<HandlerResponse> {
  const { flight, theme, clientNeeds } = rendered
  const onError = (thrown: unknown) =>
    rendered.onError(failure && isSameError(thrown, failure.thrown) ? failure.thrown : thrown)
  let hasClientLeft = false
  const leave = () => {
    hasClientLeft = true
    flight.abandon()
  }
  // Stop rendering when the client leaves, even if nothing has been sent yet.
  if (!flight.channel.ended) onAbort(page.request.signal, leave)
  const endTiming = page.scope.context.timings?.start('html')
  const render = () =>
    app.renderDocument(flight.channel, {
      // Don't report errors once the client has left, because the missing parts of an abandoned
      // rendering haven't failed.
      onError: (thrown) => (hasClientLeft ? '' : onError(thrown)),
      streamErrorMarkup: (thrown) =>
        hasClientLeft
          ? ''
          : markupAfterStatus(thrown, hostOf(page.request.origin), localeOf(page, app)),
      headStart: addressScript(page) + documentHeadStart(page, app, theme),
      incompleteHead: mayBeReferred(page) ? wholeDocumentLink(page.address.search) : '',
      nonce: page.scope.context.nonce(),
      hasFormKeys: page.scope.phase !== 'prerender',
      sealedUser: () => page.scope.sealedUser,
      formState: page.formState?.channel,
      clientFiles: clientNeeds.clientFiles,
      variant: app.variant,
      needsReact: clientNeeds.needsReact,
      rootFile: rendered.isOutermost ? undefined : rootFileOf(page),
    })
  const html = await observed(page.scope.context.observer, { kind: 'html' }, render)
  endTiming?.()
  const body = typeof html === 'string' ? html : untilClientLeft(html, leave)
  const response = pageResponse(rendered, app, [htmlType, body])
  if (!page.address.isWhole) return response
  return { ...response, headers: [...response.headers, ['link', canonicalLink(page)]] }
}

function canonicalLink({ address }: PageRequest): string {
  return `<${pathOf(address).replaceAll('>', '%3E')}>; rel="canonical"`
}

function pathOf({ pathname, search }: PageRequest['address']): string {
  return withBasePath(pathname + search)
}

/**
 * Returns a script that removes from the address bar the query parameter that requests a whole
 * document.
 */
function addressScript({ address, scope }: PageRequest): string {
  if (!address.isWhole) return ''
  const nonce = scope.context.nonce()
  const url = JSON.stringify(pathOf(address)).replaceAll('<', '\\u003c')
  const script = `history.replaceState(history.state,"",${url}+location.hash)`
  return `<script${nonce === undefined ? '' : ` nonce="${nonce}"`}>${script}</script>`
}

/**
 * True if the document may refer browsers without JavaScript to the whole document. A browser that
 * follows this link must not be referred again, because that would never end.
 * @see Fetch Metadata §2: a refresh has no `sec-fetch-user`
 */
export function mayBeReferred({ request, wantsFinalStatus, address }: PageRequest): boolean {
  const { method, headers, origin } = request
  if (wantsFinalStatus || method !== 'GET') return false
  const isClick = headers.has('sec-fetch-user') || !headers.has('sec-fetch-site')
  return isClick || headers.get('referer') !== origin + pathOf(address)
}

// True if an error was already reported. A layout around the screen throws the same error again.
function isSameError(thrown: unknown, earlier: unknown): boolean {
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

/** Returns HTML for the very start of a document's head, outside of React's tree. */
export function documentHeadStart(page: PageRequest, app: PageApp, theme: string | null): string {
  const headStart = app.theme.headStart(theme) + app.screens.headOf(localeRequest(page))
  return import.meta.env.DEV ? headStart + devNonce(page.scope.context.nonce()) : headStart
}

// Returns an element with the nonce, from which Vite's client takes the nonce for its stylesheets.
function devNonce(nonce: string | undefined): string {
  return nonce === undefined ? '' : `<meta property="csp-nonce" nonce="${nonce}">`
}

/** Calls `onLeave` as soon as the body's reader leaves or the body fails. */
export function untilClientLeft(body: StreamedBody, onLeave: () => void): StreamedBody {
  return followToEnd(body, (isWhole) => {
    if (!isWhole) onLeave()
  })
}
