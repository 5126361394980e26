import { callHeaders, changeOf, readFrames, refusalOf } from 'waymark/plugin/client'
import { bodyOf, type Entry, type StoredResponse } from '../outbox/entry.ts'

/** A response that has not arrived whole by then is given up. */
const responseMs = 30_000

/** A server stores no larger one either. */
const maxStoredBytes = 1_000_000

/**
 * Sends an entry, as a page does: with its key, on the page that it was made on.
 * @returns `null` for what is no whole response of the site
 * @throws where there is no network
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
  // A page of its user may have a newer seal, and shows what else is wrong.
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
