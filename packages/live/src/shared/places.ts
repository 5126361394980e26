type Most = {
  /** In this process. */
  readonly inAll: number
  /** Of one address; an office of many people may share it. */
  readonly perClient: number
}

/** Counts what clients keep open in this process, in all and by client. */
export function createPlaces() {
  const counts = new Map<string, number>()
  let taken = 0

  function count(client: string | null, by: 1 | -1): void {
    taken += by
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
      const own = client === null ? 0 : (counts.get(client) ?? 0)
      if (taken >= inAll || own >= perClient) return null
      count(client, 1)
      let isTaken = true
      return () => {
        if (isTaken) count(client, -1)
        isTaken = false
      }
    },
    taken: () => taken,
  }
}
