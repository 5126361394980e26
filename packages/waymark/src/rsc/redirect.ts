import { parseTarget } from '../routing/canonical.ts'
import type { Answer } from '../shared/answer.ts'
import { payloadUrl } from '../shared/protocol.ts'

/**
 * Answers with a redirect. Page data redirects to page data, so that the browser can follow it
 * without leaving its document; what is no page of this site it has to load itself.
 */
export function answerRedirect(
  { status, location }: { readonly status: number; readonly location: string },
  kind: 'document' | 'data',
): Answer {
  const target = kind === 'data' ? dataLocation(location) : location
  return { status, headers: [['location', target]], body: null }
}

function dataLocation(location: string): string {
  if (!location.startsWith('/') || location.includes('#')) return location
  const target = parseTarget(location)
  return target.kind === 'ok' ? payloadUrl(target.pathname, target.search) : location
}
