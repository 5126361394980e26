import type { MatchedLeaf, MatchedSegment } from '../../routing/matchedSegments.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import { wholeFlightBody } from './flight.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import { pageDataHeaders } from './pageResponse.ts'
import { waitForStatus } from './renderPage.ts'
import { mainLine } from './routeModules.ts'
import { isBare } from './segments.ts'
import { loadRouteFiles, startRender } from './startRender.ts'

/**
 * Answers a request ahead of the click for a page that is rendered for each request: with its
 * layouts down to the first loading screen that the browser would show, and without the page.
 * @param shown the route on the browser's screen, as it says; `null` when that is not known
 * @returns `null` when there is nothing to show ahead, or a layout says otherwise: the click will
 *   be answered with that
 */
export async function prefetchShellResponse(
  page: PageRequest,
  shown: MatchedSegment | null,
  app: PageApp,
): Promise<HandlerResponse | null> {
  const mounted = shown ? mountedKeys(shown) : new Set<string>()
  const root = cutAtLoading(page.match.root, mounted)
  if (!root) return null
  const match = { ...page.match, root }
  // What is kept is whole, and what a layout says late counts, too.
  const shell: PageRequest = { ...page, match, mounted, isShell: true, isPatient: true }
  const render = startRender(shell, app, { files: await loadRouteFiles(shell, app) })
  const failures = await waitForStatus(render, shell, app)
  const { flight } = render
  // Of what has not ended, nothing is whole.
  if (failures.length > 0 || !flight.channel.ended) {
    flight.abandon()
    return null
  }
  const headers = pageDataHeaders(app.buildId)
  return { status: 200, headers, body: wholeFlightBody(flight.channel) }
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
  return isPending(mainLine(cut).at(-1) as MatchedSegment, mounted) ? cut : null
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
