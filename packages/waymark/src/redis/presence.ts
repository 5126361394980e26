/** Whether a server is there. */
export type Presence = {
  readonly isUp: boolean
  /** Resolves once it is known for the first time. */
  readonly isKnown: Promise<void>
  /** Says that it does not answer. */
  lost(error: unknown): void
  /** Looks whether it is there. */
  look(): void
  /** Called each time it is there, and at once if it is. */
  onBack(listener: () => Promise<void>): void
  close(): void
}

/** How a server is watched. */
export type PresenceParts = {
  /** Rejects when it does not answer. */
  readonly probe: () => Promise<unknown>
  readonly onAway: (error: unknown) => void
  readonly onReturn: () => void
}

const probeMs = 500
// One that comes and goes is left alone for longer each time.
const steadyMs = 10_000
const longestPauseMs = 30_000

/** Watches a server: while it is away it is asked from time to time. */
export function createPresence({ probe, onAway, onReturn }: PresenceParts): Presence {
  const listeners: (() => Promise<void>)[] = []
  let state: 'unknown' | 'up' | 'away' | 'closed' = 'unknown'
  let isLooking = false
  let pauseMs = probeMs
  let upSinceMs = 0
  let lookFromMs = 0
  let settle = () => {}
  const isKnown = new Promise<void>((resolve) => {
    settle = resolve
  })

  function lost(error: unknown): void {
    if (state === 'away' || state === 'closed') return
    const wasSteady = state === 'unknown' || Date.now() - upSinceMs > steadyMs
    pauseMs = wasSteady ? probeMs : Math.min(pauseMs * 2, longestPauseMs)
    lookFromMs = Date.now() + pauseMs - probeMs
    state = 'away'
    settle()
    onAway(error)
  }

  async function look(): Promise<void> {
    if (isLooking || state === 'up' || state === 'closed' || Date.now() < lookFromMs) return
    isLooking = true
    const wasAway = state === 'away'
    try {
      await probe()
      if ((state as string) === 'closed') return
      state = 'up'
      upSinceMs = Date.now()
      for (const listener of listeners) await listener()
      settle()
      if (wasAway && state === 'up') onReturn()
    } catch (error) {
      lost(error)
    } finally {
      isLooking = false
    }
  }

  const probing = setInterval(() => {
    if (state === 'away') void look()
  }, probeMs)
  probing.unref()

  return {
    get isUp() {
      return state === 'up'
    },
    isKnown,
    lost,
    look: () => void look(),
    onBack(listener) {
      listeners.push(listener)
      if (state === 'up') void listener()
    },
    close() {
      state = 'closed'
      clearInterval(probing)
    },
  }
}
