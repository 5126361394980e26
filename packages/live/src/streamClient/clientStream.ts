import { type ReceivedEvent, readStream, type StreamOutcome } from './readStream.ts'

/**
 * `connecting`: a request is running. `waiting`: the stream was cut off or is paused, and will
 * reconnect.
 */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'closed'

/** Reason why a stream waits or is closed. Both fields are `null` if the connection was lost. */
export type StreamFailure = {
  /** Status of the response, or of a later refusal. */
  readonly status: number | null
  /** Digest of the server's error, which identifies the error in the journal. */
  readonly digest: string | null
}

export type StreamSnapshot = {
  readonly state: StreamState
  /** Data of the last event; `undefined` before the first one. */
  readonly data: unknown
  readonly error: StreamFailure | null
}

type ClientStreamOptions = {
  /** URL of the stream; `null` for a closed stream without a URL. */
  readonly url: string | null
  /** Id of the last event that the page already shows. The stream starts after it. */
  readonly since: string | null
  readonly fetch?: typeof fetch
  readonly random?: () => number
}

type OnEvent = (event: ReceivedEvent) => void

const longestPauseMs = 30_000
/** Minimum milliseconds between connections, in case a server ends each stream at once. */
const shortestPauseMs = 250

/**
 * Creates a page's stream. The stream reconnects after a cut, continues after the last event, and
 * reports its state.
 */
export function createClientStream(options: ClientStreamOptions) {
  const { url } = options
  const store = createStore(url)
  let onEvent: OnEvent | null = null
  let isPaused = false
  const connection = createConnection(options, store, (event) => onEvent?.(event))
  const { connectAfter, stop } = connection
  const isWanted = () => onEvent !== null && store.get().state !== 'closed'

  return {
    url,
    get: store.get,
    /** State that is used for rendering on the server. */
    getInitial: store.getInitial,
    subscribe: store.subscribe,
    /**
     * @returns a function that stops the stream. Starting it again continues after the last event.
     */
    start(listener: OnEvent): () => void {
      onEvent = listener
      // React's strict mode starts, stops and starts the stream again, so connect in the next task.
      if (isWanted() && !isPaused) connectAfter(0)
      return () => {
        stop()
        if (isWanted()) store.set({ state: 'connecting', error: null })
        onEvent = null
      }
    },
    /** Connects now, even during a pause or after the stream was closed. */
    connect(): void {
      if (onEvent === null || url === null) return
      store.set({ state: isPaused ? 'waiting' : 'connecting', error: null })
      if (!isPaused) connectAfter(0)
    },
    close(): void {
      stop()
      store.set({ state: 'closed', error: null })
    },
    /** Called when the page is hidden or being left. */
    pause(): void {
      isPaused = true
      if (!isWanted()) return
      stop()
      store.set({ state: 'waiting', error: null })
    },
    resume(): void {
      isPaused = false
      if (isWanted() && !connection.isRunning()) connectAfter(0)
    },
    /** Called when the network has changed, because the open connection may be dead. */
    reconnect(): void {
      if (isWanted() && !isPaused) connectAfter(0)
    },
  }
}

export type ClientStream = ReturnType<typeof createClientStream>

type Store = ReturnType<typeof createStore>

function createStore(url: string | null) {
  const state: StreamState = url === null ? 'closed' : 'connecting'
  const initial: StreamSnapshot = { state, data: undefined, error: null }
  let snapshot = initial
  const listeners = new Set<() => void>()
  return {
    get: () => snapshot,
    getInitial: () => initial,
    set(change: Partial<StreamSnapshot>): void {
      snapshot = { ...snapshot, ...change }
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Sends requests one after another. Each continues after the last event of the previous one. */
function createConnection(options: ClientStreamOptions, store: Store, onEvent: OnEvent) {
  const { url, since, fetch: send = (...args) => fetch(...args), random = Math.random } = options
  let lastId = since
  let running: AbortController | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  function stop(): void {
    clearTimeout(timer)
    running?.abort()
    running = null
  }

  function connectAfter(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(connect, ms)
  }

  async function connect(): Promise<void> {
    if (url === null) return
    stop()
    const controller = new AbortController()
    running = controller
    const isCurrent = () => running === controller
    if (store.get().state !== 'connecting') store.set({ state: 'connecting' })
    const outcome = await readStream({
      url,
      lastId,
      controller,
      fetch: send,
      onOpen: () => isCurrent() && store.set({ state: 'open', error: null }),
      onProgress() {
        failures = 0
      },
      onEvent: (event) => isCurrent() && receive(event),
    }).catch((): StreamOutcome => ({ kind: 'cut' }))
    if (!isCurrent()) return
    running = null
    store.set(changeAfter(outcome))
    const afterMs = pauseAfter(outcome, failures++, random)
    if (afterMs !== null) connectAfter(afterMs)
  }

  function receive(event: ReceivedEvent): void {
    if (event.id !== null) lastId = event.id
    store.set({ data: event.data })
    try {
      onEvent(event)
    } catch (error) {
      // A listener's error must not stop the stream, so report it as uncaught.
      reportError(error)
    }
  }

  return { connectAfter, stop, isRunning: () => running !== null }
}

const lost: StreamFailure = { status: null, digest: null }

function changeAfter(outcome: StreamOutcome): Partial<StreamSnapshot> {
  switch (outcome.kind) {
    case 'ended':
      return { state: 'closed', error: null }
    case 'refused':
      return { state: 'closed', error: { status: outcome.status, digest: null } }
    case 'again':
      return { state: 'waiting', error: null }
    case 'failed':
      return { state: 'waiting', error: { status: outcome.status, digest: outcome.digest } }
    case 'cut':
      return { state: 'waiting', error: lost }
  }
}

/** @returns milliseconds; `null` if the stream doesn't reconnect */
function pauseAfter(outcome: StreamOutcome, failures: number, random: () => number): number | null {
  if (outcome.kind === 'ended' || outcome.kind === 'refused') return null
  if (outcome.kind === 'again') return Math.max(outcome.afterMs, shortestPauseMs)
  const retryAfterMs = outcome.kind === 'failed' ? outcome.afterMs : 0
  // Some systems report that they are offline although they aren't, so keep trying, but rarely.
  const isOffline = typeof navigator === 'object' && navigator.onLine === false
  const backoffMs = isOffline ? longestPauseMs : Math.min(1_000 * 2 ** failures, longestPauseMs)
  return Math.max(backoffMs, retryAfterMs) * (0.5 + random()) + retryAfterMs / 2
}
