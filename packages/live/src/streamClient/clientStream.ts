import { type ReceivedEvent, readStream, type StreamOutcome } from './readStream.ts'

/** `connecting`: a request is under way; `waiting`: cut or paused, it comes back by itself. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'closed'

/** Why a stream waits or is closed. Both are `null` when the connection was lost. */
export type StreamFailure = {
  /** Of the response, or of a refusal that came later. */
  readonly status: number | null
  /** Of the error on the server, for its journal. */
  readonly digest: string | null
}

export type StreamSnapshot = {
  readonly state: StreamState
  /** Of the last event; `undefined` before the first. */
  readonly data: unknown
  readonly error: StreamFailure | null
}

type ClientStreamOptions = {
  /** `null`: no stream, closed. */
  readonly url: string | null
  /** Where to begin: the id of the last event that a page shows already. */
  readonly since: string | null
  readonly fetch?: typeof fetch
  readonly random?: () => number
}

type OnEvent = (event: ReceivedEvent) => void

const lost: StreamFailure = { status: null, digest: null }
const longestPauseMs = 30_000
/** A server that ends each stream at once is not asked all the time. */
const shortestPauseMs = 250

/** A stream of one page: connects, comes back after a cut from where it was, and tells its state. */
export function createClientStream(options: ClientStreamOptions) {
  const { url, since, fetch: send = (...given) => fetch(...given), random = Math.random } = options
  const initial: StreamSnapshot = {
    state: url === null ? 'closed' : 'connecting',
    data: undefined,
    error: null,
  }
  let snapshot = initial
  const listeners = new Set<() => void>()
  let onEvent: OnEvent | null = null
  let lastId = since
  let running: AbortController | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isPaused = false

  function set(change: Partial<StreamSnapshot>): void {
    snapshot = { ...snapshot, ...change }
    for (const listener of [...listeners]) listener()
  }

  function stop(): void {
    clearTimeout(timer)
    running?.abort()
    running = null
  }

  function connectAfter(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(attempt, ms)
  }

  async function attempt(): Promise<void> {
    if (url === null) return
    stop()
    const controller = new AbortController()
    running = controller
    const isCurrent = () => running === controller
    if (snapshot.state !== 'connecting') set({ state: 'connecting' })
    let outcome: StreamOutcome
    try {
      outcome = await readStream({
        ...{ url, lastId, controller, fetch: send },
        onOpen: () => isCurrent() && set({ state: 'open', error: null }),
        onProgress() {
          failures = 0
        },
        onEvent: (event) => isCurrent() && receive(event),
      })
    } catch {
      outcome = { kind: 'cut' }
    }
    if (!isCurrent()) return
    running = null
    settle(outcome)
  }

  function receive(event: ReceivedEvent): void {
    if (event.id !== null) lastId = event.id
    set({ data: event.data })
    try {
      onEvent?.(event)
    } catch (error) {
      // The stream goes on; the page's own handling of errors learns of it.
      reportError(error)
    }
  }

  function settle(outcome: StreamOutcome): void {
    switch (outcome.kind) {
      case 'ended':
        set({ state: 'closed', error: null })
        break
      case 'refused':
        set({ state: 'closed', error: { status: outcome.status, digest: null } })
        break
      case 'again':
        set({ state: 'waiting', error: null })
        connectAfter(Math.max(outcome.afterMs, shortestPauseMs))
        break
      case 'failed': {
        const { status, digest, afterMs } = outcome
        set({ state: 'waiting', error: { status, digest } })
        connectAfter(pauseMs(afterMs))
        break
      }
      case 'cut':
        set({ state: 'waiting', error: lost })
        connectAfter(pauseMs(0))
    }
  }

  // Some systems say that they are offline and are not: it tries all the same, seldom.
  function pauseMs(afterMs: number): number {
    const isOffline = typeof navigator === 'object' && navigator.onLine === false
    const ownMs = isOffline ? longestPauseMs : Math.min(1_000 * 2 ** failures++, longestPauseMs)
    return Math.max(ownMs, afterMs) * (0.5 + random()) + afterMs / 2
  }

  const isWanted = () => onEvent !== null && snapshot.state !== 'closed'

  return {
    url,
    get: () => snapshot,
    /** As a server renders it. */
    getInitial: () => initial,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** @returns stops; what is started again goes on from where it was */
    start(listener: OnEvent): () => void {
      onEvent = listener
      // Later: React's strict mode starts, stops and starts.
      if (isWanted() && !isPaused) connectAfter(0)
      return () => {
        onEvent = null
        stop()
        if (snapshot.state !== 'closed') set({ state: 'connecting', error: null })
      }
    },
    /** Connects now: in place of a pause, or after it was closed. */
    connect(): void {
      if (onEvent === null || url === null) return
      failures = 0
      set({ state: isPaused ? 'waiting' : 'connecting', error: null })
      if (!isPaused) connectAfter(0)
    },
    close(): void {
      stop()
      set({ state: 'closed', error: null })
    },
    /** The page is hidden, or on its way out. */
    pause(): void {
      isPaused = true
      if (!isWanted()) return
      stop()
      set({ state: 'waiting', error: null })
    },
    resume(): void {
      isPaused = false
      if (isWanted() && !running) connectAfter(0)
    },
    /** Another network: what was open may be dead. */
    reconnect(): void {
      if (isWanted() && !isPaused) connectAfter(0)
    },
  }
}

export type ClientStream = ReturnType<typeof createClientStream>
