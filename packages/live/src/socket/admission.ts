import type { SocketLimits } from './socketLimits.ts'

/** Counts the open sockets of the process, and those of each client. */
export function createAdmission() {
  const counts = new Map<string, number>()
  let open = 0

  function count(client: string | null, by: 1 | -1): void {
    open += by
    if (client === null) return
    const left = (counts.get(client) ?? 0) + by
    if (left > 0) counts.set(client, left)
    else counts.delete(client)
  }

  return {
    /**
     * @param client `null` where it is not known
     * @returns call it once when the socket is gone; `null` when there are too many
     */
    enter(
      client: string | null,
      limits: Pick<SocketLimits, 'maxSockets' | 'maxSocketsPerClient'>,
    ): (() => void) | null {
      const own = client === null ? 0 : (counts.get(client) ?? 0)
      if (open >= limits.maxSockets || own >= limits.maxSocketsPerClient) return null
      count(client, 1)
      return () => count(client, -1)
    },
  }
}
