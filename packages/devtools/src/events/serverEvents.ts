import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HandlerResponse } from 'waymark/plugin'
import { type AppRequest, type InspectedServer, refuseOtherClients } from 'waymark/plugin/dev'
import { plainText, refuseMethod, uncached, uncachedJson } from '../localRequests.ts'
import { createEventLog, type EventLog, type LoggedEvent } from './eventLog.ts'
import type { DevEvent, LiveEvent, RecordedEvent } from './events.ts'

const maxStreams = 8
const maxEventLength = 4_000

/** Records the events of a dev server and of browsers, and serves them. */
export function recordEvents({ onBrowserEvent }: Pick<InspectedServer, 'onBrowserEvent'>) {
  const log = createEventLog()
  // With the load id in async context, events from any code that runs for a request belong to the
  // request's load.
  const loads = new AsyncLocalStorage<string>()
  let count = 0

  function record(event: RecordedEvent): void {
    const load = loads.getStore() ?? null
    log.add({ ...event, id: `server-${++count}`, at: Date.now(), load, side: 'server' })
  }
  onBrowserEvent((data) => {
    const event = parseBrowserEvent(data)
    if (event) log.add(event)
  })
  // `@waymark/live` publishes its events on this channel.
  subscribe('waymark:live', (event) => record(event as LiveEvent))

  /** Handles a request to the app, and writes the response. */
  function follow(request: AppRequest, respond: () => Promise<HandlerResponse>): Promise<void> {
    const { req, res, maskedTarget: url, kind, send } = request
    const load = request.load ?? `s${Date.now().toString(36)}${count}`
    return loads.run(load, async () => {
      const startedAtMs = performance.now()
      const sinceMs = () => performance.now() - startedAtMs
      record({ type: 'request', method: req.method ?? 'GET', url, kind })
      const onClose = () =>
        record({ type: 'response', durationMs: sinceMs(), isWhole: res.writableFinished })
      // `close` may fire outside of this load's async context.
      res.once('close', () => loads.run(load, onClose))
      const { headers, ...response } = await respond()
      const { status } = response
      const timing = parseTimings(findHeader(headers, 'server-timing'))
      const digest = findHeader(headers, 'x-waymark-digest')
      record({ type: 'status', status, durationMs: sinceMs(), digest, timing })
      const named: [string, string] = ['server-timing', `load;desc=${load}`]
      await send({ ...response, headers: [...headers, named] })
    })
  }

  return { log, record, follow, respond: createEndpoint(log) }
}

/**
 * Creates the endpoint that serves a log's events.
 * @returns a function that returns the response, or `null` if the endpoint streams the events
 * itself
 */
function createEndpoint(log: EventLog) {
  let streams = 0
  return (req: IncomingMessage, res: ServerResponse): HandlerResponse | null => {
    const refused = refuseOtherClients(req, 'program')
    if (refused) return refused
    if (req.method !== 'GET') return refuseMethod('GET')
    const url = new URL(req.url ?? '/', 'http://localhost')
    const place = Number(req.headers['last-event-id'] ?? url.searchParams.get('since') ?? 0)
    const since = log.since(Number.isSafeInteger(place) && place > 0 ? place : 0)
    if (!req.headers.accept?.includes('text/event-stream')) {
      const body = { last: log.last(), events: since.map(({ event }) => event) }
      return uncachedJson(body)
    }
    if (streams >= maxStreams) return plainText(503, 'Too many clients are connected.')
    streams++
    res.writeHead(200, Object.fromEntries(uncached(200, 'text/event-stream', '').headers))
    // End a slow client's stream. When the client connects again, it gets the events that it has
    // missed.
    const send = (logged: LoggedEvent) => {
      if (!res.write(asServerSent(logged))) res.end()
    }
    const end = log.subscribe(send)
    res.once('close', () => {
      streams--
      end()
    })
    res.write(': events\n\n')
    res.write(since.map(asServerSent).join(''))
    return null
  }
}

/** Formats an event for a stream. @see HTML §9.2.6, event streams */
function asServerSent({ seq, event }: LoggedEvent): string {
  return `id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`
}

function findHeader(headers: HandlerResponse['headers'], wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null
}

function parseTimings(header: string | null): Readonly<Record<string, number>> {
  const timings = [...(header ?? '').matchAll(/([\w-]+);dur=([\d.]+)/g)]
  return Object.fromEntries(timings.map(([, name = '', ms]) => [name, Number(ms)]))
}

const browserTypes: ReadonlySet<unknown> = new Set<RecordedEvent['type']>([
  'navigation',
  'arrived',
  'prefetch',
  'deadline',
  'retry',
  'action',
  'error',
])

/** Parses an event from a browser. @returns `null` if it is not valid */
export function parseBrowserEvent(data: unknown): DevEvent | null {
  if (typeof data !== 'object' || data === null) return null
  const { type, id, at, load } = data as Readonly<Record<string, unknown>>
  if (!browserTypes.has(type) || !isId(id) || !isId(load)) return null
  if (typeof at !== 'number' || !Number.isFinite(at)) return null
  if (JSON.stringify(data).length > maxEventLength) return null
  return { ...(data as DevEvent), side: 'browser' }
}

/** True for ids that browsers create for events and page loads. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[\w-]{4,40}$/.test(value)
}
