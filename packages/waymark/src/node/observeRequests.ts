import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { cacheStatusHeader } from '../shared/cachedPage.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { digestHeader } from '../shared/protocol.ts'
import { createTimings, type Timings } from '../shared/trace.ts'

/** A request that is over, without anything that says who sent it or what for. */
export type FinishedRequest = {
  readonly method: string
  /** Pattern of the route; `null` for files and for URLs that no route matches. */
  readonly route: string | null
  readonly status: number
  /** From its head until its response was sent, or cut. */
  readonly durationMs: number
  /** Milliseconds of its steps, by name: `match`, `proxy`, `render`, `html`; none of a file. */
  readonly phases: Readonly<Record<string, number>>
  /** On the wire, the head included. */
  readonly bytes: number
  /** Of the error that it met, for `waymark errors`. */
  readonly digest: string | null
  /** By its `traceparent`. */
  readonly trace: string | null
  /** What the page cache said: `hit`, `stale` or `miss`; `null` where it was not asked. */
  readonly cache: string | null
  /** The client left, or the response broke off. */
  readonly isCut: boolean
}

/** What observes the requests of a server. */
export type RequestObserver = {
  /**
   * The pattern of what the handler did not see: a prerendered page.
   * @param target as it was sent; it must not throw
   */
  routeOf(target: string): string | null
  /** Called once a request is over. */
  onFinished(request: FinishedRequest): void
  /** Called as it begins. */
  readonly onStarted?: (() => void) | undefined
  /** Called as its page begins to be rendered, and once the request is over. */
  readonly onRendering?: ((change: 1 | -1) => void) | undefined
  /** Whether responses carry `Server-Timing`: what their steps took. */
  readonly hasServerTiming?: boolean | undefined
}

const observed = new WeakMap<IncomingMessage, Timings>()

/** @returns what takes the times of a request that is observed */
export function timingsOf(req: IncomingMessage): Timings | undefined {
  return observed.get(req)
}

/** Wraps a listener, so that an observer gets each of its requests. */
export function observeRequests(
  listener: RequestListener,
  { routeOf, onFinished, onStarted, onRendering, hasServerTiming }: RequestObserver,
): RequestListener {
  return (req, res) => {
    const startedAtMs = performance.now()
    const timings = createTimings()
    let isRendered = false
    observed.set(req, {
      ...timings,
      start(step) {
        if (step === 'render' && !isRendered) onRendering?.(1)
        isRendered ||= step === 'render'
        return timings.start(step)
      },
    })
    const bytesBefore = req.socket.bytesWritten
    const { method = 'GET', url = '/', headers } = req
    const readHeader = watchHead(res, () => (hasServerTiming ? timings.header() : null))
    const onClose = neverThrows(() => {
      if (isRendered) onRendering?.(-1)
      onFinished({
        method,
        route: timings.route() === undefined ? routeOf(url) : (timings.route() ?? null),
        status: res.statusCode,
        durationMs: performance.now() - startedAtMs,
        phases: timings.phases(),
        bytes: req.socket.bytesWritten - bytesBefore,
        digest: readHeader(digestHeader),
        trace: traceIdOf(headers.traceparent),
        cache: readHeader(cacheStatusHeader),
        isCut: !res.writableFinished,
      })
    }, undefined)
    res.once('close', onClose)
    onStarted?.()
    listener(req, res)
  }
}

/**
 * Reads headers that were given to `writeHead`, which Node does not remember.
 * @param serverTiming added to them; `null` for none
 */
function watchHead(
  res: ServerResponse,
  serverTiming: () => string | null,
): (name: string) => string | null {
  let lines: readonly unknown[] = []
  const writeHead = res.writeHead.bind(res) as (...given: unknown[]) => ServerResponse
  res.writeHead = (...given: unknown[]) => {
    const timing = serverTiming()
    if (timing !== null) addHeader(given, ['server-timing', timing])
    const headers = given.at(-1)
    if (Array.isArray(headers)) lines = headers.flat()
    else if (typeof headers === 'object' && headers !== null) lines = Object.entries(headers).flat()
    return writeHead(...given)
  }
  return (name) => {
    const at = lines.findIndex((value, at) => at % 2 === 0 && String(value).toLowerCase() === name)
    return at === -1 ? null : String(lines[at + 1])
  }
}

/** Adds a header to what `writeHead` is called with: a flat list, or an object. */
function addHeader(given: unknown[], [name, value]: [string, string]): void {
  const headers = given.at(-1)
  if (Array.isArray(headers)) given[given.length - 1] = [...headers, name, value]
  else if (typeof headers === 'object' && headers !== null) {
    given[given.length - 1] = { ...headers, [name]: value }
  } else given.push([name, value])
}

// W3C Trace Context §3.2: version, trace id, parent id, flags
const traceparent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/

function traceIdOf(header: string | string[] | undefined): string | null {
  return traceparent.exec(String(header ?? ''))?.[1] ?? null
}

// A reader that has stopped reading must not fill the memory.
const maxUnreadBytes = 1_000_000

/** Creates what writes a line of JSON for each request. */
export function createAccessLog(
  stream: { write(text: string): unknown; readonly writableLength: number },
  now: () => number = Date.now,
): (request: FinishedRequest) => void {
  let dropped = 0
  return ({ durationMs, phases, isCut, ...request }) => {
    if (stream.writableLength > maxUnreadBytes) {
      dropped++
      return
    }
    const line = {
      time: new Date(now()).toISOString(),
      ...request,
      ms: tenths(durationMs),
      phases: Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name, tenths(ms)])),
      ...(isCut && { cut: true }),
      ...(dropped > 0 && { droppedLines: dropped }),
    }
    dropped = 0
    stream.write(`${JSON.stringify(line)}\n`)
  }
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}
