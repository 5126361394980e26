import { createConnectionLimit } from '../shared/connectionLimit.ts'
import { createEventBody, type EventBody } from './eventBody.ts'
import type { Hub } from './hub.ts'

const most = { inAll: 15_000, perClient: 200 }
/**
 * Maximum milliseconds for a connection. The browser then connects again with its current cookies.
 */
const longestMs = 10 * 60_000

/** Opens connections on which pages wait for changes, up to a limit. */
export function createConnections(hub: Hub) {
  const limit = createConnectionLimit()
  return {
    /**
     * @param client `null` if unknown
     * @param follow returns the page's subscriptions, and sends changes since the page was rendered
     * @returns `null` if there are too many connections
     */
    open(
      client: string | null,
      follow: (send: EventBody['send']) => Parameters<Hub['add']>[1],
    ): EventBody | null {
      const leave = limit.take(client, most)
      if (!leave) return null
      const body = createEventBody(() => {
        hub.remove(waiting)
        leave()
      })
      const endsAtMs = Date.now() + longestMs * (0.8 + Math.random() * 0.2)
      const waiting = {
        changed: (places: readonly number[]) => body.send({ changed: places }),
        heartbeat: () => (Date.now() < endsAtMs ? body.heartbeat() : body.end()),
      }
      hub.add(waiting, follow(body.send))
      return body
    },
  }
}
