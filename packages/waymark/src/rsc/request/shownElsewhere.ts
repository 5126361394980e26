import { parseTarget } from '../../routing/canonicalUrl.ts'
import { withSlotsOf } from '../../routing/intercept.ts'
import type { Matcher } from '../../routing/match.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { withoutBasePath } from '../../shared/basePath.ts'
import { besideHeader, maxBeside, navigationFromHeader } from '../../shared/protocol.ts'
import type { ServerRequest } from '../../shared/response.ts'

/** A request of a client that has more on the screen than the page of its URL. */
export type ShownElsewhere = {
  readonly request: ServerRequest
  /**
   * Runs proxy.ts, where the app has one, for the same request to another pathname.
   * @returns the pathname whose route would respond; `null` where it does not let it pass
   */
  readonly passTo?: (pathname: string) => Promise<string | null>
  /** Where proxy.ts has let the page pass to that the client navigates from, if it was asked. */
  readonly from?: string | null
}

/**
 * Tells whether the routes that the client says to have on the screen beside or behind the page are
 * such that proxy.ts lets it pass to.
 */
export async function isOpenElsewhere({ passTo, from, request }: ShownElsewhere): Promise<boolean> {
  const said = pathnamesBeside(request)
  const behind = pathnameNavigatedFrom(request)
  // Where proxy.ts was asked about the page behind already, it has passed to what was matched.
  if (behind !== undefined && typeof from !== 'string') said.push(behind)
  for (const pathname of passTo ? said : []) {
    // A rewrite elsewhere does not let it pass to that page.
    if ((await passTo?.(pathname)) !== pathname) return false
  }
  return true
}

/** The pathname that the client navigates from: parsed like any URL. */
export function pathnameNavigatedFrom(request: ServerRequest): string | undefined {
  return parsedPathnames(request.headers.get(navigationFromHeader))[0]
}

/** A route with what its slots go on showing, by what the client says. */
export function withSlotsBeside(
  root: MatchedSegment,
  request: ServerRequest,
  matcher: Matcher,
): MatchedSegment {
  const others = pathnamesBeside(request).map((pathname) => matcher.match(pathname))
  return others.reduceRight((at, other) => (other ? withSlotsOf(at, other.root) : at), root)
}

/** The pathnames of routes that slots of the page go on showing, by what the client says. */
function pathnamesBeside(request: ServerRequest): string[] {
  const all = request.headers.get(besideHeader)?.split(',', maxBeside) ?? []
  return all.flatMap(parsedPathnames)
}

function parsedPathnames(said: string | null): string[] {
  const target = said === null ? null : parseTarget(withoutBasePath(said) ?? '')
  return target?.kind === 'ok' ? [target.pathname] : []
}
