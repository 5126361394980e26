import { type LiveMessage, maxPages, maxRequestBytes } from '../shared/messages.ts'
import {
  askOnce,
  BufferedResponse,
  Refused,
  type SendRequest,
  waitForMessages,
} from './requests.ts'

/**
 * Sealed subscriptions, keyed by a name for the data that a rendering has read. Renderings and tabs
 * that read the same data have the same name.
 */
export type Followed = ReadonlyMap<string, readonly string[]>

export type Connection = {
  /**
   * Opens a connection for these subscriptions, unless the current one already covers their names.
   * An empty map ends the connection.
   */
  follow(followed: Followed): void
  /** True if the connection includes each of these subscriptions, or is about to. */
  covers(followed: Followed): boolean
  reconnect(): void
}

type ConnectionOptions = {
  readonly url: string
  /** @param reads names of the reads that have changed @param from process that announced the change */
  readonly onChanged: (reads: readonly string[], from: string) => void
  /**
   * @param reads names that can't be followed any more, until page data contains a new subscription
   */
  readonly onGone: (reads: readonly string[]) => void
  readonly onState: (isConnected: boolean) => void
  readonly send?: SendRequest
}

const pollMs = 10_000
/** Milliseconds of polling after which the client tries a waiting request again. */
const pollForMs = 300_000
/** Milliseconds in which the pages of one navigation are collected. */
const gatherMs = 50
const longestPauseMs = 30_000

/**
 * Waits for changes on a response that stays open. Polls instead if a proxy buffers the response.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { onState } = options
  const sentPages = createSentPages()
  let followed: Followed = new Map()
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
    timer = undefined
    running.abort()
    sentPages.set([])
  }

  async function connect(): Promise<void> {
    end()
    running = new AbortController()
    const pages = pagesOf(followed)
    sentPages.set(pages)
    const { signal } = running
    const isPolling = performance.now() < isPollingUntilMs
    const onConnected = () => {
      failures = 0
      onState(true)
    }
    try {
      const listening = { ...options, signal, isPolling, onConnected, lose: sentPages.lose }
      const pauseMs = await listen(pages, listening)
      if (!signal.aborted) later(pauseMs ?? pauseAfter(null, failures++))
    } catch (error) {
      if (signal.aborted) return
      onState(false)
      const isBuffered = error instanceof BufferedResponse
      if (isBuffered) isPollingUntilMs = performance.now() + pollForMs
      later(isBuffered ? 0 : pauseAfter(error, failures++))
    }
  }

  return {
    follow(next) {
      followed = next
      if (next.size === 0) return end()
      if (!sentPages.follows(next)) later(gatherMs)
    },
    covers: (pages) => timer !== undefined || sentPages.covers(pages),
    reconnect() {
      if (followed.size > 0) later(gatherMs)
    },
  }
}

type Page = { readonly name: string; readonly sealed: string }

/** Remembers the pages for which the last connection was opened. */
function createSentPages() {
  let sent: readonly Page[] = []
  let gone: ReadonlySet<Page> = new Set()
  const has = (sealed: string) => sent.some((page) => page.sealed === sealed)
  /**
   * True if each name is followed. After the server has stopped following a name, only a different
   * subscription can follow it again.
   */
  const followsName = (name: string, sealed: readonly string[]) =>
    sealed.every(has) || sent.some((page) => page.name === name && !gone.has(page))
  return {
    set(pages: readonly Page[]): void {
      sent = pages
      gone = new Set()
    },
    lose(pages: readonly Page[]): void {
      gone = new Set([...gone, ...pages])
    },
    follows: (followed: Followed) => [...followed].every((each) => followsName(...each)),
    covers: (followed: Followed) => [...followed.values()].flat().every(has),
  }
}

function pagesOf(followed: Followed): Page[] {
  return [...followed].flatMap(([name, all]) => all.map((sealed) => ({ name, sealed })))
}

function namesOf(pages: readonly Page[]): string[] {
  return [...new Set(pages.map(({ name }) => name))]
}

/** Returns as many subscriptions as the server accepts in one request. */
function withinLimits(pages: readonly Page[]): string[] {
  let left = maxRequestBytes - 1_000
  const within = pages.slice(0, maxPages).filter(({ sealed }) => {
    left -= sealed.length + 3
    return left >= 0
  })
  return within.map(({ sealed }) => sealed)
}

type Listening = ConnectionOptions & {
  readonly signal: AbortSignal
  readonly isPolling: boolean
  readonly onConnected: () => void
  readonly lose: (pages: readonly Page[]) => void
}

/** @returns the pause before connecting again; `null` if the server didn't end the connection itself */
async function listen(
  pages: readonly Page[],
  { url, send = fetch, signal, isPolling, ...on }: Listening,
): Promise<number | null> {
  const sent = withinLimits(pages)
  let pauseMs = null as number | null
  let sender = ''
  const at = (places: readonly number[]) =>
    places.flatMap((place) => pages.find(({ sealed }) => sealed === sent[place]) ?? [])
  const onMessage = ({ changed = [], gone = [], againAfterMs, from = sender }: LiveMessage) => {
    if (signal.aborted) return
    on.onConnected()
    pauseMs = againAfterMs ?? null
    sender = from
    if (gone.length > 0) {
      on.lose(at(gone))
      on.onGone(namesOf(at(gone)))
    }
    if (changed.length > 0) on.onChanged(namesOf(at(changed)), from)
  }
  if (isPolling) {
    onMessage(await askOnce(url, sent, { send, signal }))
    return pollMs
  }
  await waitForMessages(url, sent, { send, signal, onMessage })
  return pauseMs
}

function pauseAfter(error: unknown, failures: number): number {
  const backoffMs = Math.min(1_000 * 2 ** failures, longestPauseMs)
  const retryAfterMs = error instanceof Refused ? error.retryAfterMs : 0
  return Math.max(backoffMs, retryAfterMs) * (0.5 + Math.random())
}
