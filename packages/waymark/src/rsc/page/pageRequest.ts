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

/** A request for a page, with the matched route and the kind of response. */
export type PageRequest = Pick<PageTarget, 'kind' | 'pathname' | 'search'> & {
  readonly match: Pick<RouteMatch, 'pattern' | 'params' | 'root'> &
    Partial<Pick<RouteMatch, 'interceptedFrom'>>
  /** Status of the page, unless a fallback replaces it. */
  readonly status: 200 | 404 | 422
  /** The URL in the browser. After a rewrite, it differs from `pathname` and `search`. */
  readonly address: Pick<PageTarget, 'pathname' | 'search' | 'isWhole'>
  /** Origin of the request; `null` if unknown, as during prerendering. */
  readonly origin: string | null
  readonly request: ServerRequest
  readonly scope: RequestScope
  /** Keys of the segments that the browser has mounted. Empty for a document. */
  readonly mounted: ReadonlySet<string>
  /**
   * True if the response must wait for the whole page and its final status, as for crawlers and
   * browsers without JavaScript.
   */
  readonly wantsFinalStatus: boolean
  /** Result of a form that was submitted without JavaScript. Only documents have one. */
  readonly formState?: FormState | null
  /**
   * True if the page is a shell for a prefetch, cut off at a loading screen. Shells have no head.
   */
  readonly isShell?: boolean
  /** Wraps the payload in the response to an action call. */
  readonly envelope?: (payload: Payload, outcome: PageOutcome) => unknown
}

/** React's form state. `channel` has the same value as complete Flight. */
type FormState = { readonly value: ReactFormState; readonly channel: ByteChannel }

/** Status of a page and the digest of its error. */
export type PageOutcome = { readonly status: number; readonly digest: string | null }

/** The parts of an app that rendering a page needs. */
export type PageApp = DocumentRenderer & {
  readonly modules: RouteModules
  readonly resolveMetadata: ResolveMetadata
  readonly report: ReportError
  readonly followPage?: FollowPage | undefined
  readonly cache: Cache
  readonly readCached: ReadCached
  /** Encrypts users' ids; `null` if server.ts has no `user()`. */
  readonly users?: UserSeals | null | undefined
  /** Warns about a redirect or a fallback that comes after the status was sent. */
  readonly warnOfSignal: (thrown: unknown, at: Occurrence) => void
  /**
   * Maximum milliseconds that a document's head waits until layouts, page and metadata have decided
   * the status.
   */
  readonly statusDeadlineMs: number
  /** Maximum milliseconds to wait for content that must be complete, such as a page for a crawler or a form's state. */
  readonly settleDeadlineMs: number
  readonly theme: AppTheme
  readonly screens: AppScreens
  readonly security: AppSecurity
  readonly buildId: string
  /** Variant whose code the page loads. `null` if the app has no variants. */
  readonly variant: string | null
}

/**
 * Creates the request for a page. Without a matching route, the page is the root's not-found page.
 */
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
    // A prerendered page is served for every host, so it has no origin.
    origin: scope.phase === 'prerender' ? null : request.origin,
  }
}

const noSegments: ReadonlySet<string> = new Set()

/** Reads the keys of the segments that the browser has mounted. */
export function mountedSegments({ headers }: ServerRequest): ReadonlySet<string> {
  const mounted = headers.get(mountedSegmentsHeader)
  return mounted ? new Set(mounted.split(',')) : noSegments
}

/** Returns the language of a page's screens. */
export function localeOf(page: PageRequest, { screens }: PageApp): ScreenLocale {
  return screens.localeOf(localeRequest(page))
}

/** Returns the input for selecting the language of a page's screens. */
export function localeRequest({ request, address, scope }: PageRequest) {
  return { request, pathname: address.pathname, isPrerender: scope.phase === 'prerender' }
}
