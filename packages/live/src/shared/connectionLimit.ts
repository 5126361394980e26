type Most = {
  /** In this process. */
  readonly inAll: number
  /** Of one address; an office of many people may share it. */
  readonly perClient: number
}

/** Counts what clients keep open in this process, in all and by client. */
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
     * @param client `null` where it is not known, or many may share its address
     * @returns call it when what was opened is over; `null` when there is no place
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
