/** Whether a server is there. */
export type ConnectionHealth = {
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
export type ConnectionHealthOptions = {
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
export function createConnectionHealth({
  probe,
  onAway,
  onReturn,
}: ConnectionHealthOptions): ConnectionHealth {
  const listeners: (() => Promise<void>)[] = []
  let state: 'unknown' | 'up' | 'away' | 'closed' = 'unknown'
  let isLooking = false
  const pauses = createPauses()
  let settle = () => {}
  const isKnown = new Promise<void>((resolve) => {
    settle = resolve
  })

  function lost(error: unknown): void {
    if (state === 'away' || state === 'closed') return
    pauses.lost(Date.now())
    state = 'away'
    settle()
    onAway(error)
  }

  async function look(): Promise<void> {
    if (isLooking || state === 'up' || state === 'closed' || Date.now() < pauses.endMs) return
    isLooking = true
    const wasAway = state === 'away'
    try {
      await probe()
      if ((state as string) === 'closed') return
      state = 'up'
      pauses.found(Date.now())
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

/** How long a server is left alone. */
function createPauses() {
  let pauseMs = probeMs
  let foundAtMs = Number.NEGATIVE_INFINITY
  let endMs = 0
  return {
    get endMs() {
      return endMs
    },
    found(nowMs: number): void {
      foundAtMs = nowMs
    },
    lost(nowMs: number): void {
      pauseMs = nowMs - foundAtMs > steadyMs ? probeMs : Math.min(pauseMs * 2, longestPauseMs)
      endMs = nowMs + pauseMs - probeMs
    },
  }
}
