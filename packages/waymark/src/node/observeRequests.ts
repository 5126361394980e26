import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { cacheStatusHeader } from '../builds/cachedPage.ts'
import type { SentDocument } from '../http/endpoint.ts'
import { readTraceparent } from '../journal/instrumentation.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { digestHeader } from '../wire/protocol.ts'
import { createTimings, type Timings } from '../wire/trace.ts'

/** A finished request, without data that identifies its sender. */
export type FinishedRequest = {
  readonly method: string
  /** Pattern of the route; `null` for files and for URLs without a route. */
  readonly route: string | null
  readonly status: number
  /** Milliseconds from the arrival of the request's head to the end of the response. */
  readonly durationMs: number
  /** Milliseconds spent in each step: `match`, `proxy`, `render`, `html`. Empty for a file. */
  readonly phases: Readonly<Record<string, number>>
  /** Bytes of the response, including its head. */
  readonly bytes: number
  /** Digest of the request's error, for `waymark errors`. */
  readonly digest: string | null
  readonly trace: string | null
  /** Result of the page cache: `hit`, `stale` or `miss`; `null` if it isn't used. */
  readonly cache: string | null
  /** True if the client left or the response was cut. */
  readonly isCut: boolean
}

/** A server calls these functions for each request. */
export type RequestObserver = {
  /** Returns the route of a prerendered page, for which the handler doesn't run. Must not throw. */
  routeOf(target: string): string | null
  onFinished(request: FinishedRequest): void
  readonly onStarted?: (() => void) | undefined
  /** Called with 1 when a page starts to render, and with -1 when its request is over. */
  readonly onRendering?: ((change: 1 | -1) => void) | undefined
  /** True to add `Server-Timing` to responses. */
  readonly hasServerTiming?: boolean | undefined
}

const observed = new WeakMap<IncomingMessage, Timings>()

export function timingsOf(req: IncomingMessage): Timings | undefined {
  return observed.get(req)
}

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
        isCut: !res.writableFinished && res.statusCode !== 101,
      })
    }, undefined)
    res.once('close', onClose)
    onStarted?.()
    listener(req, res)
  }
}

/** Observes the headers passed to `writeHead`, because Node doesn't store them. */
function watchHead(
  res: ServerResponse,
  serverTiming: () => string | null,
): (name: string) => string | null {
  let lines: readonly unknown[] = []
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse
  res.writeHead = (...args: unknown[]) => {
    const timing = serverTiming()
    if (timing !== null) addHeader(args, ['server-timing', timing])
    const headers = args.at(-1)
    if (Array.isArray(headers)) lines = headers.flat()
    else if (typeof headers === 'object' && headers !== null) lines = Object.entries(headers).flat()
    return writeHead(...args)
  }
  return (name) => {
    const at = lines.findIndex((value, at) => at % 2 === 0 && String(value).toLowerCase() === name)
    return at === -1 ? null : String(lines[at + 1])
  }
}

function addHeader(args: unknown[], [name, value]: [string, string]): void {
  const headers = args.at(-1)
  if (Array.isArray(headers)) args[args.length - 1] = [...headers, name, value]
  else if (typeof headers === 'object' && headers !== null) {
    args[args.length - 1] = { ...headers, [name]: value }
  } else args.push([name, value])
}

/** Returns the trace id, which is the second part of `traceparent`. */
function traceIdOf(header: string | string[] | undefined): string | null {
  return readTraceparent(String(header ?? ''))?.split('-')[1] ?? null
}

export type DocumentObserver = {
  routeOf(pathname: string): string | null
  /** Called for each document that a browser has opened. Prefetched documents don't count. */
  onDocument?: ((document: SentDocument) => void) | undefined
}

export function observeDocuments(
  listener: RequestListener,
  { routeOf, onDocument }: DocumentObserver,
): RequestListener {
  if (!onDocument) return listener
  return (req, res) => {
    const { url = '/', headers } = req
    if (headers['sec-fetch-dest'] === 'document' && headers['sec-purpose'] === undefined) {
      const tell = () => {
        const [pathname = ''] = url.split('?', 1)
        const { statusCode: status, writableFinished } = res
        onDocument({ route: routeOf(pathname), status, isCut: !writableFinished })
      }
      res.once('close', neverThrows(tell, undefined))
    }
    listener(req, res)
  }
}
