type OpenStreamsOptions = {
  /** In this process. */
  readonly maxStreams: number
  /** Of one address; an office of many people may share it. */
  readonly maxPerClient: number
}

/** Counts the streams of this process, by client, until their handlers have ended. */
export function createOpenStreams({ maxStreams, maxPerClient }: OpenStreamsOptions) {
  const counts = new Map<string, number>()
  let open = 0

  function leave(client: string | null): void {
    open--
    if (client === null) return
    const left = (counts.get(client) ?? 1) - 1
    if (left > 0) counts.set(client, left)
    else counts.delete(client)
  }

  return {
    /**
     * @param client `null` when many may share its address
     * @returns `null` when there is no room; call it once the stream and its handler have ended
     */
    enter(client: string | null): (() => void) | null {
      const own = client === null ? 0 : (counts.get(client) ?? 0)
      if (open >= maxStreams || own >= maxPerClient) return null
      open++
      if (client !== null) counts.set(client, own + 1)
      let hasLeft = false
      return () => {
        if (!hasLeft) leave(client)
        hasLeft = true
      }
    },
    count: () => open,
  }
}
