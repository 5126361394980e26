import { callHeaders, changeOf, readFrames, refusalOf } from 'waymark/plugin/client'
import { bodyOf, type Entry, type StoredResponse } from '../outbox/entry.ts'

/** A response that hasn't arrived completely after this time is abandoned. */
const responseMs = 30_000

/** Larger responses aren't stored. The server has the same limit. */
const maxStoredBytes = 1_000_000

/**
 * Sends an entry as a page would: with its key, from the page on which it was created.
 * @returns `null` if the response is incomplete or doesn't come from the app
 * @throws if there is no network
 */
export async function sendEntry(entry: Entry): Promise<StoredResponse | null> {
  const { pathname, search, from, beside } = entry.page
  const response = await fetch(pathname + search, {
    method: 'POST',
    body: bodyOf(entry),
    headers: callHeaders({
      id: entry.action,
      key: entry.key,
      from,
      beside,
      isQueued: true,
      user: entry.sealedUser ?? null,
    }),
    signal: AbortSignal.timeout(responseMs),
  })
  // These refusals are left to a page. Its user may have a newer seal, and it can show the reason.
  const isForPage = /^(?:other-user|stale)$/.test(refusalOf(response) ?? '')
  if (isForPage || !response.headers.get('content-type')?.startsWith('text/x-component')) {
    await response.body?.cancel()
    return null
  }
  const body = readFrames(new Uint8Array(await response.arrayBuffer()))
  if (!body) return null
  return {
    body: body.length > maxStoredBytes ? new Uint8Array() : body,
    changed: changeOf(response),
  }
}
