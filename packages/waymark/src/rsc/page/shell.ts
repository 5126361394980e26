import type { MatchedSegment } from '../../routing/matched.ts'
import type { HandlerResponse } from '../../shared/answer.ts'
import { buildHeader, payloadType } from '../../shared/protocol.ts'
import { cutAtLoading, mountedKeys } from './cutAtLoading.ts'
import { wholeFlightBody } from './flight.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import { attemptRender } from './tryPage.ts'

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
  const held = shown ? mountedKeys(shown) : new Set<string>()
  const root = cutAtLoading(page.match.root, held)
  if (!root) return null
  const match = { ...page.match, root }
  // What is kept is whole, and what a layout says late counts, too.
  const shell: PageRequest = { ...page, match, held, isShell: true, isPatient: true }
  const { flight, failures } = await attemptRender(shell, app, null)
  // Of what has not ended, nothing is whole.
  if (failures.length > 0 || !flight.channel.ended) {
    flight.abandon()
    return null
  }
  const headers: HandlerResponse['headers'] = [
    ['content-type', payloadType],
    ['cache-control', 'private, no-store'],
    [buildHeader, app.buildId],
  ]
  return { status: 200, headers, body: wholeFlightBody(flight.channel) }
}
