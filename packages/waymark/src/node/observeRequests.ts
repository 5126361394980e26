import type { RequestListener, ServerResponse } from 'node:http'
import { cacheStatusHeader } from '../shared/cachedPage.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { digestHeader } from '../shared/protocol.ts'

/** A request that is over, without anything that says who sent it or what for. */
export type FinishedRequest = {
  readonly method: string
  /** Pattern of the route; `null` for files and for URLs that no route matches. */
  readonly route: string | null
  readonly status: number
  /** From its head until its response was sent, or cut. */
  readonly durationMs: number
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
  /** @param target as it was sent; it must not throw */
  routeOf(target: string): string | null
  /** Called once a request is over. */
  onFinished(request: FinishedRequest): void
  /** Called as it begins. */
  readonly onStarted?: (() => void) | undefined
}

/** Wraps a listener, so that an observer gets each of its requests. */
export function observeRequests(
  listener: RequestListener,
  { routeOf, onFinished, onStarted }: RequestObserver,
): RequestListener {
  return (req, res) => {
    const startedAtMs = performance.now()
    const bytesBefore = req.socket.bytesWritten
    const { method = 'GET', url = '/', headers } = req
    const readHeader = watchHead(res)
    const onClose = neverThrows(() => {
      onFinished({
        method,
        route: routeOf(url),
        status: res.statusCode,
        durationMs: performance.now() - startedAtMs,
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

/** Reads headers that were given to `writeHead`, which Node does not remember. */
function watchHead(res: ServerResponse): (name: string) => string | null {
  let lines: readonly unknown[] = []
  const writeHead = res.writeHead.bind(res) as (...given: unknown[]) => ServerResponse
  res.writeHead = (...given: unknown[]) => {
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
  return ({ durationMs, isCut, ...request }) => {
    if (stream.writableLength > maxUnreadBytes) {
      dropped++
      return
    }
    const line = {
      time: new Date(now()).toISOString(),
      ...request,
      ms: Math.round(durationMs * 10) / 10,
      ...(isCut && { cut: true }),
      ...(dropped > 0 && { droppedLines: dropped }),
    }
    dropped = 0
    stream.write(`${JSON.stringify(line)}\n`)
  }
}
