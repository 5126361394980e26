import { protocol, withoutChecksum } from 'waymark/internal'
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
    headers: {
      accept: 'text/x-component',
      [protocol.actionHeader]: entry.action,
      [protocol.idempotencyKeyHeader]: entry.key,
      [protocol.queuedHeader]: '1',
      ...(entry.sealedUser ? { [protocol.userHeader]: entry.sealedUser } : {}),
      [protocol.navigationFromHeader]: from,
      ...(beside.length > 0 ? { [protocol.besideHeader]: beside.join(',') } : {}),
    },
    signal: AbortSignal.timeout(responseMs),
  })
  const { headers } = response
  // A page of its user may have a newer seal, and shows what else is wrong.
  const isForPage = /^(?:other-user|stale)$/.test(headers.get(protocol.refusalHeader) ?? '')
  if (isForPage || !headers.get('content-type')?.startsWith('text/x-component')) {
    await response.body?.cancel()
    return null
  }
  const body = withoutChecksum(new Uint8Array(await response.arrayBuffer()))
  if (!body) return null
  const changed = headers.get(protocol.changedHeader)
  return {
    body: body.length > maxStoredBytes ? new Uint8Array() : body,
    // Both may have changed: the header then has two lines.
    changed: changed === null ? null : changed.includes('session') ? 'session' : 'data',
  }
}
