import type { Matcher } from '../../routing/match.ts'
import { createPageRequest, mountedSegments, type PageRequest } from '../page/pageRequest.ts'
import type { Exchange } from '../request/exchange.ts'
import { withSlotsBeside } from '../request/otherPages.ts'
import type { ActionRequest } from './handleAction.ts'

/** Creates the request for the page to which an action is posted, and which the response shows. */
export function createPostedPage(
  posted: ActionRequest,
  exchange: Exchange,
  { matcher }: { readonly matcher: Matcher },
): PageRequest {
  const page = createPageRequest(exchange, { matcher })
  // The form was submitted without JavaScript, which would be needed to add parts of the page
  // later.
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
