import type { HandlerResponse, HeaderLines, ServerRequest } from '../../http/response.ts'
import type { Matcher } from '../../routing/match.ts'
import type { MatchedLeaf, MatchedSegment } from '../../routing/matchedSegments.ts'
import { assetsHeader, payloadType, prefetchHeader, wholePrefetch } from '../../wire/protocol.ts'
import type { Exchange } from '../request/exchange.ts'
import { type Interceptions, pathnameNavigatedFrom } from '../request/otherPages.ts'
import { flightBody, wholeFlightBody } from './flight.ts'
import { createPageRequest, type PageApp, type PageRequest } from './pageRequest.ts'
import { noPrefetchData, pageDataHeaders, pageResponse } from './pageResponse.ts'
import type { AppVariants } from './pageVariants.ts'
import { renderPage, startRendering, waitForStatus } from './renderPage.ts'
import { filesOf, loadRouteFiles, mainSegments, type RouteModules } from './routeModules.ts'
import { isBare } from './segments.ts'

/** True if a browser sent this request to prefetch a page. */
export function isPrefetch({ headers }: ServerRequest): boolean {
  return headers.has(prefetchHeader)
}

type PrefetchApp = PageApp &
  Interceptions & { readonly matcher: Matcher; readonly variants: AppVariants | null }

/**
 * Responds to a prefetch of a page that is rendered for each request. The response contains the
 * layouts down to the first loading screen, and the URLs of the page's scripts and stylesheets.
 * Without a loading screen, the response contains the whole page if a click is likely. The layouts
 * always run, as guards.
 * @returns an empty response if a layout refuses; the navigation then gets the refusal itself
 */
export async function respondToPrefetch(
  exchange: Exchange,
  app: PrefetchApp,
): Promise<HandlerResponse> {
  const { match, destination, request } = exchange
  const nothing = noPrefetchData(app.buildId)
  // Don't prefetch an intercepted URL, because its page depends on the page from which the user navigates.
  if (!match || destination.kind !== 'data' || app.isIntercepted(destination.pathname))
    return nothing
  const from = pathnameNavigatedFrom(request)
  const openRoute = from === undefined ? null : app.matcher.match(from)
  // Don't prefetch for a page of a different variant, because the click will load a document.
  const source = { pathname: from ?? destination.pathname, params: openRoute?.params ?? {} }
  if (app.variants && app.variants.partsOf(source).variant !== app.variant) return nothing
  const mounted = openRoute ? mountedKeys(openRoute.root) : new Set<string>()
  const isLikely = request.headers.get(prefetchHeader) === wholePrefetch
  const page = createPageRequest(exchange, app)
  const assets = assetsLine(page.match.root, app.modules)
  const shellRoot = cutAtLoading(page.match.root, mounted)
  if (!shellRoot && isLikely) return (await wholePage(page, app, assets)) ?? nothing
  if (!shellRoot && assets.length === 0) return nothing
  const shell: PageRequest = {
    ...page,
    match: { ...page.match, root: shellRoot ?? withoutPages(page.match.root) },
    mounted,
    isShell: true,
    // The browser only caches a complete shell, and a layout may refuse late, so wait for the final
    // status.
    wantsFinalStatus: true,
  }
  const rendering = startRendering(shell, app, { files: await loadRouteFiles(shell, app) })
  const failures = await waitForStatus(rendering, shell, app)
  const { flight } = rendering
  // Send nothing if a part failed or the shell is still incomplete.
  if (failures.length > 0 || !flight.channel.ended) {
    flight.abandon()
    return nothing
  }
  if (!shellRoot) return { ...nothing, headers: [...nothing.headers, ...assets] }
  const headers = [...pageDataHeaders(app.buildId), ...assets]
  return { status: 200, headers, body: wholeFlightBody(flight.channel) }
}

// Maximum number of assets to list. Browsers and proxies limit the length of a header.
const maxAssets = 40

/** Returns the header line with a route's scripts and stylesheets; empty if the route has none. */
export function assetsLine(
  root: MatchedSegment,
  { assetsOf }: Pick<RouteModules, 'assetsOf'>,
): HeaderLines {
  const all = filesOf(root).flatMap(assetsOf)
  const named = new Set(all.map(([url, hash]) => (hash === undefined ? url : `${url}#${hash}`)))
  return named.size > 0 ? [[assetsHeader, [...named].slice(0, maxAssets).join(' ')]] : []
}

function withoutPages(segment: MatchedSegment): MatchedSegment {
  if (segment.kind !== 'folder') return pendingLeaf(segment, segment.key)
  const slots = Object.entries(segment.slots).map(([name, slot]) => [name, withoutPages(slot)])
  return { ...segment, slots: Object.fromEntries(slots) }
}

/**
 * Responds with the whole page. @returns `null` unless the status is 200; the navigation then
 * requests the page itself
 */
async function wholePage(
  page: PageRequest,
  app: PageApp,
  assets: HeaderLines,
): Promise<HandlerResponse | null> {
  // The user may have moved to a different page by the time of the click, so send all segments.
  const rendered = await renderPage({ ...page, mounted: new Set() }, app)
  if (rendered.decision.kind === 'page' && rendered.status === 200) {
    const response = pageResponse(rendered, app, [payloadType, flightBody(rendered.flight)])
    return { ...response, headers: [...response.headers, ...assets] }
  }
  rendered.flight.abandon()
  return null
}

/**
 * Cuts a matched route at its first loading screens. A browser can show the part outside the loading screens before the
 * page itself has arrived.
 * @param mounted keys of segments that the browser already shows. Loading screens around them are
 * ignored
 * @returns `null` if there is no loading screen that the browser would show
 */
export function cutAtLoading(
  root: MatchedSegment,
  mounted: ReadonlySet<string>,
): MatchedSegment | null {
  const cut = cutSegment(root, mounted)
  return isPending(mainSegments(cut).at(-1) as MatchedSegment, mounted) ? cut : null
}

/** Returns the segment keys of a route, as payloads use them. */
export function mountedKeys(root: MatchedSegment): ReadonlySet<string> {
  const keys = new Set<string>()
  const visit = (segment: MatchedSegment) => {
    keys.add(segment.key)
    if (segment.kind === 'folder') for (const slot of Object.values(segment.slots)) visit(slot)
  }
  visit(root)
  return keys
}

function cutSegment(segment: MatchedSegment, mounted: ReadonlySet<string>): MatchedSegment {
  if (segment.kind !== 'folder') {
    return mounted.has(segment.key) ? pendingLeaf(segment, segment.key) : segment
  }
  const slots: Record<string, MatchedSegment> = {}
  for (const name in segment.slots) {
    const child = segment.slots[name] as MatchedSegment
    const key = keyOf(child)
    const loads = name === 'children' && segment.node.files.loading && !mounted.has(key)
    slots[name] = loads ? pendingLeaf(child, key) : cutSegment(child, mounted)
  }
  return { ...segment, slots }
}

// Creates a leaf with a key that isn't rendered, like the page behind an interception.
function pendingLeaf({ node, params }: MatchedSegment, key: string): MatchedLeaf {
  return { kind: 'default', key, node, params, page: null, background: true }
}

/** Returns the key of a segment in payloads. A folder that adds nothing around its page has the key of the page. */
function keyOf(segment: MatchedSegment): string {
  if (segment.kind !== 'folder' || !isBare(segment)) return segment.key
  return keyOf(segment.slots.children as MatchedSegment)
}

// True for a leaf that has no content because it was cut off. A mounted segment has no content
// either, but the browser already shows it.
function isPending({ background, key }: MatchedSegment, mounted: ReadonlySet<string>): boolean {
  return background && !mounted.has(key)
}
