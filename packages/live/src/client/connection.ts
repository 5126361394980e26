import { heartbeatMs, type LiveMessage } from '../shared/messages.ts'

export type Connection = {
  /** Connects for these subscriptions, unless it is connected for them already. */
  follow(wanted: ReadonlyMap<string, string>): void
  close(): void
}

type ConnectionOptions = {
  readonly url: string
  /** Names of what was changed, or of what page data brings a new subscription. */
  readonly onChanged: (reads: readonly string[]) => void
  readonly onState: (isConnected: boolean) => void
  readonly fetch?: typeof fetch
}

/** The server answers at once: later, a proxy keeps back what comes. */
const firstMessageMs = 5_000
const silenceMs = 2 * heartbeatMs + 5_000
const pollMs = 10_000
/** How long it asks at intervals before it tries again to wait. */
const pollForMs = 300_000
const gatherMs = 50
const longestPauseMs = 30_000

/** Waits for changes: over one response that stays open, or where a proxy keeps that back, by asking. */
export function createConnection(options: ConnectionOptions): Connection {
  const { url, onChanged, onState, fetch: send = fetch } = options
  let wanted: ReadonlyMap<string, string> = new Map()
  let running: AbortController | null = null
  /** What the running connection was opened with, in this order. */
  let asked: readonly string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let polledSinceMs = 0

  function again(afterMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(connect, afterMs)
  }

  function close(): void {
    clearTimeout(timer)
    running?.abort()
    running = null
    asked = []
  }

  async function connect(): Promise<void> {
    running?.abort()
    const controller = new AbortController()
    running = controller
    asked = [...wanted.keys()]
    const isPolling = Date.now() - polledSinceMs < pollForMs
    try {
      const pauseMs = await (isPolling ? poll(controller) : wait(controller))
      failures = 0
      if (running === controller) again(pauseMs)
    } catch (error) {
      if (running !== controller) return
      asked = []
      onState(false)
      if (error instanceof KeptBack) polledSinceMs = Date.now()
      again(error instanceof KeptBack ? 0 : pauseAfter(error, failures++))
    }
  }

  function tell({ changed = [], gone = [] }: LiveMessage, reads: readonly string[]): void {
    const names = [...changed, ...gone].flatMap((place) => reads[place] ?? [])
    if (names.length > 0) onChanged(names)
  }

  async function request({ signal }: AbortController, waits: boolean): Promise<Response> {
    const pages = asked.map((reads) => wanted.get(reads) ?? '')
    const body = JSON.stringify({ pages, wait: waits })
    const response = await send(url, { method: 'POST', body, signal, cache: 'no-store' })
    if (response.ok) return response
    response.body?.cancel().catch(() => {})
    throw new Refused(response)
  }

  async function poll(controller: AbortController): Promise<number> {
    const response = await request(controller, false)
    tell((await response.json()) as LiveMessage, asked)
    onState(true)
    return pollMs
  }

  /** @returns after how long to connect again */
  async function wait(controller: AbortController): Promise<number> {
    const reads = asked
    let isFirst = true
    let silence: ReturnType<typeof setTimeout> | undefined
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(() => controller.abort(), isFirst ? firstMessageMs : silenceMs)
    }
    listen()
    try {
      const response = await request(controller, true)
      for await (const text of events(response)) {
        const message = text === '' ? {} : (JSON.parse(text) as LiveMessage)
        isFirst = false
        listen()
        if (running !== controller) return 0
        failures = 0
        onState(true)
        tell(message, reads)
        if (message.againAfterMs !== undefined) return message.againAfterMs
      }
      throw new Error('The connection ended.')
    } catch (error) {
      throw isFirst && controller.signal.aborted && running === controller ? new KeptBack() : error
    } finally {
      clearTimeout(silence)
    }
  }

  return {
    follow(next) {
      wanted = next
      if (next.size === 0) return close()
      const isFollowed = running !== null && [...next.keys()].every((each) => asked.includes(each))
      if (!isFollowed) again(gatherMs)
    },
    close,
  }
}

class KeptBack extends Error {}

class Refused extends Error {
  readonly retryAfterMs: number
  constructor({ status, headers }: Response) {
    super(`The server refused the connection: ${status}.`)
    this.retryAfterMs = (Number(headers.get('retry-after')) || 0) * 1_000
  }
}

function pauseAfter(error: unknown, failures: number): number {
  const ownMs = Math.min(1_000 * 2 ** failures, longestPauseMs)
  const askedMs = error instanceof Refused ? error.retryAfterMs : 0
  return Math.max(ownMs, askedMs) * (0.5 + Math.random())
}

/** The data of each event; empty text for a heartbeat. */
async function* events(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const parts = (rest + decoder.decode(next.value, { stream: true })).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) yield part.startsWith('data: ') ? part.slice(6) : ''
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
