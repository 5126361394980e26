type Most = {
  /** Maximum number of connections in this process. */
  readonly inAll: number
  /**
   * Maximum number of connections per client address. Many people in one office may share an
   * address.
   */
  readonly perClient: number
}

/** Counts the connections that clients keep open in this process, in total and per client. */
export function createConnectionLimit() {
  const counts = new Map<string, number>()
  let openCount = 0

  function count(client: string | null, by: 1 | -1): void {
    openCount += by
    if (client === null) return
    const left = (counts.get(client) ?? 0) + by
    if (left > 0) counts.set(client, left)
    else counts.delete(client)
  }

  return {
    /**
     * @param client `null` if the address is unknown or shared by many clients
     * @returns a function to call when the connection ends; `null` if the limit is reached
     */
    take(client: string | null, { inAll, perClient }: Most): (() => void) | null {
      const clientCount = client === null ? 0 : (counts.get(client) ?? 0)
      if (openCount >= inAll || clientCount >= perClient) return null
      count(client, 1)
      let isOpen = true
      return () => {
        if (isOpen) count(client, -1)
        isOpen = false
      }
    },
    openCount: () => openCount,
  }
}
