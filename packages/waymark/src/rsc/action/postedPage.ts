import type { Matcher } from '../../routing/match.ts'
import { createPageRequest, mountedSegments, type PageRequest } from '../page/pageRequest.ts'
import type { Exchange } from '../request/exchange.ts'
import { withSlotsBeside } from '../request/otherPages.ts'
import type { ActionRequest } from './handleAction.ts'

/** Creates the request for the page that an action is posted to. The response shows that page. */
export function createPostedPage(
  posted: ActionRequest,
  exchange: Exchange,
  { matcher }: { readonly matcher: Matcher },
): PageRequest {
  const page = createPageRequest(exchange, { matcher })
  // A form is submitted without scripts, so the response must be complete, because no script can add parts later.
  if (posted.kind === 'form') return { ...page, wantsFinalStatus: true }
  const root = withSlotsBeside(page.match.root, exchange.otherPages, matcher)
  return {
    ...page,
    match: { ...page.match, root },
    kind: 'data',
    mounted: mountedSegments(exchange.request),
    wantsFinalStatus: false,
  }
}
