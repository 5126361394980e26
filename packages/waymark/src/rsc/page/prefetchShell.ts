import type { HandlerResponse, HeaderLines } from '../../http/response.ts'
import type { MatchedLeaf, MatchedSegment } from '../../routing/matchedSegments.ts'
import { assetsHeader, payloadType } from '../../wire/protocol.ts'
import { flightBody, wholeFlightBody } from './flight.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import { noPrefetchData, pageDataHeaders, pageResponse } from './pageResponse.ts'
import { loadRouteFiles, renderPage, startRender, waitForStatus } from './renderPage.ts'
import { filesOf, mainSegments, type RouteModules } from './routeModules.ts'
import { isBare } from './segments.ts'

/**
 * Responds to a prefetch of a page that is rendered for each request: with its layouts down to the
 * first loading screen, and with the names of its scripts and stylesheets. Without such a screen,
 * the layouts run all the same, as guards.
 * @param shown the route on the browser's screen; `null` when that is not known
 * @param isLikely a click is: the response holds the page itself
 * @returns nothing where a layout refuses: the click will get that
 */
export async function respondToPrefetch(
  page: PageRequest,
  { shown, isLikely }: { readonly shown: MatchedSegment | null; readonly isLikely: boolean },
  app: PageApp,
): Promise<HandlerResponse> {
  const mounted = shown ? mountedKeys(shown) : new Set<string>()
  const assets = assetsLine(page.match.root, app.modules)
  const screened = cutAtLoading(page.match.root, mounted)
  const nothing = noPrefetchData(app.buildId)
  if (!screened && isLikely) return (await wholePage(page, app, assets)) ?? nothing
  if (!screened && assets.length === 0) return nothing
  const match = { ...page.match, root: screened ?? withoutPages(page.match.root) }
  // What is cached is whole, and what a layout says late counts, too.
  const shell: PageRequest = { ...page, match, mounted, isShell: true, wantsFinalStatus: true }
  const render = startRender(shell, app, { files: await loadRouteFiles(shell, app) })
  const failures = await waitForStatus(render, shell, app)
  const { flight } = render
  // Of what has not ended, nothing is whole.
  if (failures.length > 0 || !flight.channel.ended) {
    flight.abandon()
    return nothing
  }
  if (!screened) return { ...nothing, headers: [...nothing.headers, ...assets] }
  const headers = [...pageDataHeaders(app.buildId), ...assets]
  return { status: 200, headers, body: wholeFlightBody(flight.channel) }
}

// Browsers and proxies bound the length of a header.
const maxAssets = 40

/** The header line that names the scripts and stylesheets of a route; none where it has none. */
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

/** @returns `null` for another status than 200, which the click will get */
async function wholePage(
  page: PageRequest,
  app: PageApp,
  assets: HeaderLines,
): Promise<HandlerResponse | null> {
  // It may be shown from another page than the one that it is fetched on: all of it is sent.
  const render = await renderPage({ ...page, mounted: new Set() }, app)
  if (render.decision.kind === 'page' && render.status === 200) {
    const response = pageResponse(render, app, [payloadType, flightBody(render.flight)])
    return { ...response, headers: [...response.headers, ...assets] }
  }
  render.flight.abandon()
  return null
}

/**
 * Cuts a matched route at its first loading screens: what a browser can show of it before the page
 * itself has come.
 * @param mounted keys that the browser has on its screen: what stands around them loads no more
 * @returns `null` when there is no loading screen that the browser would show
 */
export function cutAtLoading(
  root: MatchedSegment,
  mounted: ReadonlySet<string>,
): MatchedSegment | null {
  const cut = cutSegment(root, mounted)
  return isPending(mainSegments(cut).at(-1) as MatchedSegment, mounted) ? cut : null
}

/** The keys by which a payload names what a match mounts. */
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

// As what stands behind an interception: named, and not rendered.
function pendingLeaf({ node, params }: MatchedSegment, key: string): MatchedLeaf {
  return { kind: 'default', key, node, params, page: null, background: true }
}

/** The key that a payload has for a segment: a folder that adds nothing has none of its own. */
function keyOf(segment: MatchedSegment): string {
  if (segment.kind !== 'folder' || !isBare(segment)) return segment.key
  return keyOf(segment.slots.children as MatchedSegment)
}

// What is mounted is named, too, and not rendered.
function isPending({ background, key }: MatchedSegment, mounted: ReadonlySet<string>): boolean {
  return background && !mounted.has(key)
}
