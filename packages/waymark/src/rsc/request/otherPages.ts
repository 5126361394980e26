import type { ServerRequest } from '../../http/response.ts'
import { parseTarget } from '../../routing/canonicalUrl.ts'
import { withSlotsOf } from '../../routing/intercept.ts'
import type { Matcher } from '../../routing/match.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { withoutBasePath } from '../../shared/basePath.ts'
import { actionHeader, besideHeader, maxBeside, navigationFromHeader } from '../../wire/protocol.ts'
import type { PageTarget } from './readRequest.ts'

/** Pages on the client's screen, in addition to the page of its URL. */
export type OtherPages = {
  /** Pathname of the page from which the user navigates. An interception may show this page in the background. */
  readonly from: string | null
  readonly beside: readonly string[]
}

export const noOtherPages: OtherPages = { from: null, beside: [] }

type ClaimingRequest = {
  readonly request: ServerRequest
  /** The page of the URL in the browser. */
  readonly address: PageTarget
  /** The page that responds. */
  readonly destination: PageTarget
}

export type Interceptions = {
  /**
   * Returns true if a route intercepts the pathname, so that a navigation inside the app may show a
   * different page there.
   */
  readonly isIntercepted: (pathname: string) => boolean
}

/**
 * Reads the client's claims about other pages. `admitOtherPages` decides which of them are used.
 */
export function readOtherPages(
  { destination, address, request }: ClaimingRequest,
  { isIntercepted }: Interceptions,
): OtherPages {
  const isCalling = isCall(request)
  if (destination.kind !== 'data' && !isCalling) return noOtherPages
  const pathname = pathnameNavigatedFrom(request)
  const isOver =
    pathname !== undefined && pathname !== address.pathname && isIntercepted(destination.pathname)
  const from = isOver ? pathname : null
  const beside = isCalling ? pathnamesBeside(request) : []
  return from === null && beside.length === 0 ? noOtherPages : { from, beside }
}

/** True for an action call from the app's script, whose response is data. */
export function isCall({ method, headers }: ServerRequest): boolean {
  return method === 'POST' && headers.has(actionHeader)
}

/** Reads the pathname of the page from which the user navigates. */
export function pathnameNavigatedFrom(request: ServerRequest): string | undefined {
  return parsedPathnames(request.headers.get(navigationFromHeader))[0]
}

function pathnamesBeside(request: ServerRequest): string[] {
  const all = request.headers.get(besideHeader)?.split(',', maxBeside) ?? []
  return all.flatMap(parsedPathnames)
}

function parsedPathnames(path: string | null): string[] {
  const target = path === null ? null : parseTarget(withoutBasePath(path) ?? '')
  return target?.kind === 'ok' ? [target.pathname] : []
}

/** Adds slots that show the client's other pages to a route's root. */
export function withSlotsBeside(
  root: MatchedSegment,
  { beside }: OtherPages,
  matcher: Matcher,
): MatchedSegment {
  const others = beside.map((pathname) => matcher.match(pathname))
  return others.reduceRight((at, other) => (other ? withSlotsOf(at, other.root) : at), root)
}
