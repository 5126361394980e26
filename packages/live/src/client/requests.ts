import { refusalOf } from 'waymark/plugin/client'
import { eventStream, heartbeatMs, type LiveMessage } from '../shared/messages.ts'
import { readMessages } from '../shared/readMessages.ts'

/**
 * Time limit for the first message in milliseconds. The server sends it at once, so if it is late,
 * a proxy buffers the response.
 */
const firstMessageMs = 5_000
const pollTimeoutMs = 8_000
/** Milliseconds without a heartbeat after which the connection counts as lost. */
const silenceMs = 2 * heartbeatMs + 5_000

/**
 * Pause in milliseconds after the server itself has refused a page. After the same status from a
 * gateway, the pause is shorter, because the gateway may let the next request pass.
 */
const lastingMs = 3_600_000
const lasting: ReadonlySet<number> = new Set([403, 405])

/** Thrown when the server doesn't accept a waiting request now. */
export class Refused extends Error {
  readonly retryAfterMs: number
  constructor(response: Response) {
    const { status, headers } = response
    super(`The server refused the connection: ${status}.`)
    const retryAfterMs = (Number(headers.get('retry-after')) || 0) * 1_000
    const isLasting = lasting.has(status) && refusalOf(response) !== null
    this.retryAfterMs = isLasting ? lastingMs : retryAfterMs
  }
}

/**
 * Thrown when the first message doesn't arrive in time, which means that a proxy buffers the response.
 */
export class BufferedResponse extends Error {}

export type SendRequest = typeof fetch

/** Asks the server once for changes. @param pages subscriptions, as sealed by the server */
export async function askOnce(
  url: string,
  pages: readonly string[],
  { send = fetch, signal = null }: { send?: SendRequest; signal?: AbortSignal | null } = {},
): Promise<LiveMessage> {
  const inTime = AbortSignal.timeout(pollTimeoutMs)
  const either = signal ? AbortSignal.any([signal, inTime]) : inTime
  const response = await request(send, url, { pages, wait: false }, either)
  return (await response.json()) as LiveMessage
}

/**
 * Reads the server's messages until the server ends the response.
 * @throws `Refused`, `BufferedResponse`, or an error of `fetch`
 */
export async function waitForMessages(
  url: string,
  pages: readonly string[],
  options: {
    readonly send: SendRequest
    readonly signal: AbortSignal
    readonly onMessage: (message: LiveMessage) => void
  },
): Promise<void> {
  const silent = new AbortController()
  let isFirst = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(), isFirst ? firstMessageMs : silenceMs)
  }
  listen()
  try {
    const signal = AbortSignal.any([options.signal, silent.signal])
    const response = await request(options.send, url, { pages, wait: true }, signal)
    // A response that isn't an event stream may be a captive portal's page.
    if (!response.headers.get('content-type')?.startsWith(eventStream)) throw new Refused(response)
    for await (const message of readMessages(response)) {
      isFirst = false
      listen()
      options.onMessage(message.kind === 'event' ? (JSON.parse(message.data) as LiveMessage) : {})
    }
  } catch (error) {
    throw isFirst && silent.signal.aborted ? new BufferedResponse() : error
  } finally {
    clearTimeout(timer)
  }
}

async function request(
  send: SendRequest,
  url: string,
  body: object,
  signal: AbortSignal | null,
): Promise<Response> {
  const init = { method: 'POST', body: JSON.stringify(body), signal, cache: 'no-store' } as const
  const response = await send(url, init)
  if (response.ok) return response
  response.body?.cancel().catch(() => {})
  throw new Refused(response)
}
