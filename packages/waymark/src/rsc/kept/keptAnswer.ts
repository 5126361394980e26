import type { CacheRead } from '../../cache/computed.ts'
import type { HandlerResponse, HeaderLines } from '../../shared/answer.ts'
import {
  type BuiltPage,
  type CacheStatus,
  cacheStatusHeader,
  type FoundResponse,
} from '../../shared/keptPages.ts'
import { payloadUrl } from '../../shared/protocol.ts'
import type { CacheableUrl } from './keptUrl.ts'
import type { PageValue } from './pageValue.ts'

/** A value of the cache, as bytes and as what they say. */
export type CachedValue = { readonly kept: CacheRead; readonly value: PageValue }

/**
 * What can be sent of a value in the form that was asked for.
 * @returns `null` when the handler has to answer
 */
export function findCachedValue(
  { kept, value }: CachedValue,
  form: CacheableUrl['form'],
  nowMs: number,
): FoundResponse | null {
  const ageSeconds = ageOf(kept, nowMs)
  switch (value.kind) {
    case 'built':
      return { answer: 'built', ageSeconds }
    case 'page': {
      const answer = value.page[form]
      return answer && { answer, ageSeconds }
    }
    case 'partial':
    case 'perRequest':
      return null
  }
}

/**
 * Answers with a value; `null` as above.
 * @param built what the build says of the URL, if it has rendered it
 */
export function toCachedResponse(
  found: CachedValue,
  url: CacheableUrl,
  { nowMs, built }: { readonly nowMs: number; readonly built: BuiltPage | null },
): HandlerResponse | null {
  const sendable = findCachedValue(found, url.form, nowMs)
  if (sendable === null) return null
  const { answer, ageSeconds } = sendable
  const added: HeaderLines = [[cacheStatusHeader, states[found.kept.state]]]
  if (ageSeconds !== null) added.push(['age', String(ageSeconds)])
  if (answer !== 'built') {
    const { status, headers, bodies } = answer
    const { hasOwnCaching } = answer
    const body = bodies[0].bytes
    return { status, headers: [...headers, ...added], body, kept: answer, hasOwnCaching }
  }
  const prerendered = url.form === 'data' ? payloadUrl(url.pathname, '') : url.pathname
  const hasOwnCaching = built?.hasOwnCaching
  return { status: 200, headers: added, body: null, prerendered, hasOwnCaching }
}

const states: Readonly<Record<CacheRead['state'], CacheStatus>> = {
  fresh: 'hit',
  stale: 'stale',
  computed: 'miss',
}

// RFC 9111 §5.1. What lives until a tag says otherwise is asked for each time: nobody counts.
function ageOf({ storedAtMs, revalidateAtMs }: CacheRead, nowMs: number): number | null {
  return revalidateAtMs === null ? null : Math.max(0, Math.floor((nowMs - storedAtMs) / 1000))
}
