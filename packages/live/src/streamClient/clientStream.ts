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

const longestPauseMs = 30_000
/** A server that ends each stream at once is not asked all the time. */
const shortestPauseMs = 250

/** A stream of one page: connects, comes back after a cut from where it was, and tells its state. */
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
    /** As a server renders it. */
    getInitial: store.getInitial,
    subscribe: store.subscribe,
    /** @returns stops; what is started again goes on from where it was */
    start(listener: OnEvent): () => void {
      onEvent = listener
      // Later: React's strict mode starts, stops and starts.
      if (isWanted() && !isPaused) connectAfter(0)
      return () => {
        stop()
        if (isWanted()) store.set({ state: 'connecting', error: null })
        onEvent = null
      }
    },
    /** Connects now: in place of a pause, or after it was closed. */
    connect(): void {
      if (onEvent === null || url === null) return
      store.set({ state: isPaused ? 'waiting' : 'connecting', error: null })
      if (!isPaused) connectAfter(0)
    },
    close(): void {
      stop()
      store.set({ state: 'closed', error: null })
    },
    /** The page is hidden, or on its way out. */
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
    /** Another network: what was open may be dead. */
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

/** One request after the other, each from the last event of the one before. */
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
      // The stream goes on; whoever watches the page for errors learns of it.
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

/** @returns milliseconds; `null`: it does not come back */
function pauseAfter(outcome: StreamOutcome, failures: number, random: () => number): number | null {
  if (outcome.kind === 'ended' || outcome.kind === 'refused') return null
  if (outcome.kind === 'again') return Math.max(outcome.afterMs, shortestPauseMs)
  const retryAfterMs = outcome.kind === 'failed' ? outcome.afterMs : 0
  // Some systems say that they are offline and are not: it tries all the same, seldom.
  const isOffline = typeof navigator === 'object' && navigator.onLine === false
  const backoffMs = isOffline ? longestPauseMs : Math.min(1_000 * 2 ** failures, longestPauseMs)
  return Math.max(backoffMs, retryAfterMs) * (0.5 + random()) + retryAfterMs / 2
}
