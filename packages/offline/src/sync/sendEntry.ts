import { callHeaders, changeOf, readFrames, refusalOf } from 'waymark/plugin/client'
import { bodyOf, type Entry, type StoredResponse } from '../outbox/entry.ts'

/** Time limit for a complete response, after which the request is abandoned. */
const responseMs = 30_000

/** Maximum size of a response to store. The server has the same limit. */
const maxStoredBytes = 1_000_000

/**
 * Sends an entry as a page would, with the entry's key and from the page on which the entry was created.
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
  // Leave these refusals to a page, which may have a newer seal for the user and can show the reason.
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
