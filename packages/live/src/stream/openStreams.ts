type OpenStreamsOptions = {
  /** In this process. */
  readonly maxStreams: number
  /** Of one address; an office of many people may share it. */
  readonly maxPerClient: number
}

/** A place for one stream. */
export type StreamPlace = {
  /** @param end called when the server ends */
  onDrain(end: () => void): void
  /** The stream has ended, and so has its handler. */
  leave(): void
}

/** Counts the streams of this process, by client, until their handlers have ended. */
export function createOpenStreams({ maxStreams, maxPerClient }: OpenStreamsOptions) {
  const counts = new Map<string, number>()
  const ends = new Set<() => void>()
  let open = 0
  let isDraining = false

  function leave(client: string | null): void {
    open--
    if (client === null) return
    const left = (counts.get(client) ?? 1) - 1
    if (left > 0) counts.set(client, left)
    else counts.delete(client)
  }

  return {
    /** @param client `null` when many may share its address @returns `null` when there is no room */
    enter(client: string | null): StreamPlace | null {
      const own = client === null ? 0 : (counts.get(client) ?? 0)
      if (isDraining || open >= maxStreams || own >= maxPerClient) return null
      open++
      if (client !== null) counts.set(client, own + 1)
      let onDrain: (() => void) | null = null
      let hasLeft = false
      return {
        onDrain(end) {
          onDrain = end
          if (isDraining) end()
          else ends.add(end)
        },
        leave() {
          if (hasLeft) return
          hasLeft = true
          if (onDrain) ends.delete(onDrain)
          leave(client)
        },
      }
    },
    count: () => open,
    /** Ends all streams; no further one begins. */
    drain(): void {
      isDraining = true
      for (const end of [...ends]) end()
    },
  }
}

export type OpenStreams = ReturnType<typeof createOpenStreams>
