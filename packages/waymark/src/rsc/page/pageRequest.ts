import type { ReactFormState } from 'react-dom/client'
import type { Cache } from '../../cache/cache.ts'
import type { DocumentRenderer } from '../../http/documentRenderer.ts'
import type { ServerRequest } from '../../http/response.ts'
import type { ByteChannel } from '../../http/stream.ts'
import type { Occurrence, ReportError } from '../../journal/reportError.ts'
import type { Matcher, RouteMatch } from '../../routing/match.ts'
import type { ScreenLocale } from '../../screens/screenTexts.ts'
import type { Payload } from '../../wire/payload.ts'
import { mountedSegmentsHeader } from '../../wire/protocol.ts'
import type { AppScreens } from '../errors/screenResponse.ts'
import type { ResolveMetadata } from '../metadata/resolve.ts'
import type { Exchange } from '../request/exchange.ts'
import { type PageTarget, wantsFinalStatus } from '../request/readRequest.ts'
import type { ReadCached, RequestScope } from '../request/scope.ts'
import type { UserSeals } from '../request/userSeals.ts'
import type { AppSecurity } from '../security/csp.ts'
import type { FollowPage } from './followedPage.ts'
import type { AppTheme } from './pageTheme.ts'
import type { RouteModules } from './routeModules.ts'

/** A request for a page, with its route and the kind of response. */
export type PageRequest = Pick<PageTarget, 'kind' | 'pathname' | 'search'> & {
  readonly match: Pick<RouteMatch, 'pattern' | 'params' | 'root'> &
    Partial<Pick<RouteMatch, 'interceptedFrom'>>
  /** Without a fallback. */
  readonly status: 200 | 404 | 422
  /** The URL in the browser, which differs after a rewrite. */
  readonly address: Pick<PageTarget, 'pathname' | 'search' | 'isWhole'>
  /** `null` when it is not known, as while prerendering. */
  readonly origin: string | null
  readonly request: ServerRequest
  readonly scope: RequestScope
  /** Keys of segments that the browser has mounted; none for a document. */
  readonly mounted: ReadonlySet<string>
  /** Waits for the whole page, and its final status: a crawler, or a browser without scripts. */
  readonly wantsFinalStatus: boolean
  /** The result of a form that was sent without a script; of a document only. */
  readonly formState?: FormState | null
  /** Its route is cut at a loading screen: it has no head, and is prefetched. */
  readonly isShell?: boolean
  /** Wraps the payload for the response to a call of an action. */
  readonly envelope?: (payload: Payload, outcome: PageOutcome) => unknown
}

/** React's form state; `channel` has it as Flight, all of it. */
type FormState = { readonly value: ReactFormState; readonly channel: ByteChannel }

/** Status of a page, and the digest of its error. */
export type PageOutcome = { readonly status: number; readonly digest: string | null }

/** What rendering a page needs of the app. */
export type PageApp = DocumentRenderer & {
  readonly modules: RouteModules
  readonly resolveMetadata: ResolveMetadata
  readonly report: ReportError
  readonly followPage?: FollowPage | undefined
  readonly cache: Cache
  readonly readCached: ReadCached
  /** `null` where server.ts does not say who sends a request. */
  readonly users?: UserSeals | null | undefined
  /** Warns of a redirect or a fallback that came after the status was sent. */
  readonly warnOfSignal: (thrown: unknown, at: Occurrence) => void
  /** How long the head of a document waits for its layouts, page and metadata to decide the status. */
  readonly statusDeadlineMs: number
  /** Limits the wait for what has to be whole: a page for a crawler, the state of a form. */
  readonly settleDeadlineMs: number
  readonly theme: AppTheme
  readonly screens: AppScreens
  readonly security: AppSecurity
  readonly buildId: string
}

/** Creates the request for the page of an exchange; without a route, for the root's not-found page. */
export function createPageRequest(
  { match, destination, address, request, scope }: Exchange,
  { matcher }: { readonly matcher: Matcher },
): PageRequest {
  const root = match?.root ?? matcher.matchNotFound(destination.pathname)
  scope.root = root
  return {
    kind: destination.kind,
    pathname: destination.pathname,
    search: destination.search,
    match: match ?? { pattern: '', params: {}, root },
    status: match ? 200 : 404,
    address,
    request,
    scope,
    mounted: destination.kind === 'data' ? mountedSegments(request) : noSegments,
    wantsFinalStatus: address.isWhole === true || wantsFinalStatus(request),
    // While prerendering, there is no origin that would be right for every host.
    origin: scope.phase === 'prerender' ? null : request.origin,
  }
}

const noSegments: ReadonlySet<string> = new Set()

/** Reads the keys of the segments that the browser has mounted. */
export function mountedSegments({ headers }: ServerRequest): ReadonlySet<string> {
  const mounted = headers.get(mountedSegmentsHeader)
  return mounted ? new Set(mounted.split(',')) : noSegments
}

/** The language of the screens of a page. */
export function localeOf(page: PageRequest, { screens }: PageApp): ScreenLocale {
  return screens.localeOf(localeRequest(page))
}

/** What the language of a page's screens is chosen by. */
export function localeRequest({ request, address, scope }: PageRequest) {
  return { request, pathname: address.pathname, isPrerender: scope.phase === 'prerender' }
}
