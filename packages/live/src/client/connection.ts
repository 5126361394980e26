import type { LiveMessage } from '../shared/messages.ts'
import { askOnce, KeptBack, Refused, type SendRequest, waitForMessages } from './requests.ts'

/** What pages follow: their subscriptions, by a name that is the same for the same reads. */
export type Followed = ReadonlyMap<string, string>

export type Connection = {
  /** Connects for these, unless it is connected for them already; for none it ends. */
  follow(followed: Followed): void
  /** Connects again: the server knows a session that is over. */
  reconnect(): void
}

type ConnectionOptions = {
  readonly url: string
  /** @param reads names of what was changed, or of what page data brings a new subscription */
  readonly onChanged: (reads: readonly string[]) => void
  readonly onState: (isConnected: boolean) => void
  readonly send?: SendRequest
}

const pollMs = 10_000
/** How long it asks at intervals before it waits again. */
const pollForMs = 300_000
/** Pages of a navigation follow each other. */
const gatherMs = 50
const longestPauseMs = 30_000

/** Waits for changes on one response that stays open; where a proxy keeps that back, it asks. */
export function createConnection(options: ConnectionOptions): Connection {
  const { onState } = options
  let followed: Followed = new Map()
  /** Names that the running connection was opened with; `null` without one. */
  let names: readonly string[] | null = null
  let running = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isPollingUntilMs = 0

  function later(afterMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(connect, afterMs)
  }

  function end(): void {
    clearTimeout(timer)
    running.abort()
    names = null
  }

  async function connect(): Promise<void> {
    end()
    running = new AbortController()
    names = [...followed.keys()]
    const { signal } = running
    const isPolling = performance.now() < isPollingUntilMs
    const onConnected = () => {
      failures = 0
      onState(true)
    }
    try {
      const pauseMs = await listen(followed, { ...options, signal, isPolling, onConnected })
      if (!signal.aborted) later(pauseMs ?? pauseAfter(null, failures++))
    } catch (error) {
      if (signal.aborted) return
      names = null
      onState(false)
      const isKeptBack = error instanceof KeptBack
      if (isKeptBack) isPollingUntilMs = performance.now() + pollForMs
      later(isKeptBack ? 0 : pauseAfter(error, failures++))
    }
  }

  return {
    follow(next) {
      followed = next
      if (next.size === 0) return end()
      if (![...next.keys()].every((each) => names?.includes(each))) later(gatherMs)
    },
    reconnect() {
      if (followed.size > 0) later(gatherMs)
    },
  }
}

type Listening = ConnectionOptions & {
  readonly signal: AbortSignal
  readonly isPolling: boolean
  readonly onConnected: () => void
}

/** @returns after how long to connect again; `null` when something else than the server ended it */
async function listen(
  followed: Followed,
  { url, send = fetch, signal, isPolling, onConnected, onChanged }: Listening,
): Promise<number | null> {
  const names = [...followed.keys()]
  const pages = [...followed.values()]
  let pauseMs = null as number | null
  const onMessage = ({ changed = [], gone = [], againAfterMs }: LiveMessage) => {
    if (signal.aborted) return
    onConnected()
    pauseMs = againAfterMs ?? null
    const told = [...changed, ...gone].flatMap((place) => names[place] ?? [])
    if (told.length > 0) onChanged(told)
  }
  if (isPolling) {
    onMessage(await askOnce(url, pages, { send, signal }))
    return pollMs
  }
  await waitForMessages(url, pages, { send, signal, onMessage })
  return pauseMs
}

function pauseAfter(error: unknown, failures: number): number {
  const ownMs = Math.min(1_000 * 2 ** failures, longestPauseMs)
  const askedMs = error instanceof Refused ? error.retryAfterMs : 0
  return Math.max(ownMs, askedMs) * (0.5 + Math.random())
}
