import { createEventBody, type EventBody } from './eventBody.ts'
import type { Hub } from './hub.ts'

/** In all, and of one address: an office of many people may share it. */
const most = { connections: 15_000, perClient: 200 }
/** Then its browser connects again, with its cookies of then. */
const longestMs = 10 * 60_000

/** Opens connections on which pages wait for changes, within bounds. */
export function createConnections(hub: Hub) {
  const counts = new Map<string, number>()

  function count(client: string, by: 1 | -1): void {
    const left = (counts.get(client) ?? 0) + by
    if (left > 0) counts.set(client, left)
    else counts.delete(client)
  }

  return {
    /**
     * @param client `null` where it is not known
     * @param follow tells what the page follows, and sends what was changed before
     * @returns `null` when there are too many
     */
    open(
      client: string | null,
      follow: (send: EventBody['send']) => Parameters<Hub['add']>[1],
    ): EventBody | null {
      const isFull = hub.size() >= most.connections
      if (isFull || (client !== null && (counts.get(client) ?? 0) >= most.perClient)) return null
      if (client !== null) count(client, 1)
      const body = createEventBody(() => {
        hub.remove(waiting)
        if (client !== null) count(client, -1)
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
