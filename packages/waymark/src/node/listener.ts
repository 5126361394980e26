import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createHostCheck } from '../http/allowedHosts.ts'
import type { Handle, HandlerResponse, Responding, StreamedBody } from '../http/response.ts'
import { mounted, unmounted, withoutSlash, withSlash } from '../shared/basePath.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { dataPrefix, maxTargetLength, prefetchHeader } from '../wire/protocol.ts'
import { reservedPaths } from '../wire/reservedPaths.ts'
import { respondClearCookies } from './clearCookies.ts'
import { createLinger, type Linger } from './linger.ts'
import type { Shedding } from './loadShedding.ts'
import {
  allow,
  isForbiddenMethod,
  type RefusalScreen,
  refuse,
  refuseBusy,
  refuseWithScreen,
} from './refuse.ts'
import {
  createIsTrustedPeer,
  NodeRequest,
  type RequestUrl,
  readOrigin,
  readTarget,
  type TrustProxy,
} from './request.ts'
import type { RunningResponses } from './runningResponses.ts'
import type { StaticFiles } from './static/staticFiles.ts'
import { writeResponse } from './writeResponse.ts'

/** Logs server errors. `console` is one. */
export type ServerLogger = { error(message: string, error: unknown): void }

/** Options of `createRequestListener`. */
export type ListenerOptions = {
  readonly handle: Handle
  readonly staticFiles?: StaticFiles | undefined
  /** Path at which the app is mounted. Default: the root. */
  readonly basePath?: string | undefined
  /** True if page URLs end with a slash. */
  readonly trailingSlash?: boolean | undefined
  /** Proxies whose forwarded headers are trusted. Default: none. */
  readonly trustProxy?: TrustProxy | undefined
  /** Hosts for which the app responds. Others get a 400. Default: every host. */
  readonly allowedHosts?: readonly string[] | null | undefined
  /** Called for the first few hosts that aren't allowed. */
  readonly onRefusedHost?: ((origin: string) => void) | undefined
  /**
   * Maximum number of requests that the handler runs at the same time. Further requests get a 503
   * at once. Default: no limit.
   */
  readonly maxRunning?: number | undefined
  /** Lets requests wait, or refuses them, if the server is overloaded. Default: never. */
  readonly shedding?: Shedding | null | undefined
  /** Returns true if the server is shutting down. Responses then contain `connection: close`. */
  readonly isClosing?: (() => boolean) | undefined
  /** Returns true if the readiness check should succeed. Default: always. */
  readonly isReady?: (() => boolean) | undefined
  /** Returns the number of uncaught exceptions, which health checks report. */
  readonly uncaughtExceptions?: (() => number) | undefined
  /** Creates the HTML or JSON body for a refused request. Default: plain text. */
  readonly screen?: RefusalScreen | undefined
  /**
   * Maximum bytes of complete responses that wait for slow clients, on all connections together.
   * Default: no limit.
   */
  readonly maxWaitingBytes?: number | undefined
  readonly linger?: Linger | undefined
  /** Functions that end endless bodies, such as event streams. */
  readonly openEnded?: Set<() => void> | undefined
  readonly logger: ServerLogger
}

/** Creates the listener for a `node:http` server. It tries static files first, then the handler. */
export function createRequestListener(options: ListenerOptions): RequestListener {
  const { handle, staticFiles, maxRunning = Number.POSITIVE_INFINITY } = options
  const { isClosing = () => false, screen, linger = createLinger(), shedding } = options
  const waiting = createWaitingResponses(options.maxWaitingBytes ?? Number.POSITIVE_INFINITY)
  const isTrustedPeer = createIsTrustedPeer(options.trustProxy ?? false)
  const slots = createRequestSlots({ max: maxRunning })
  const health = createHealth(options, slots)
  const fail = createFail(options)
  const isAllowedHost = options.allowedHosts ? createHostCheck(options.allowedHosts) : null
  const reportHost = createHostReport(options)

  const send = (req: IncomingMessage, res: ServerResponse, response: HandlerResponse) => {
    if (isClosing()) res.shouldKeepAlive = false
    return staticFiles?.writeCached(req, res, response) || writeResponse(res, response)
  }

  const sendLater = async (req: IncomingMessage, res: ServerResponse, response: Responding) => {
    const end = slots.take(res)
    try {
      const ready = 'then' in response ? await response : response
      const sending = send(req, res, ready)
      const endBody = (ready.upgrade ?? (ready.body as StreamedBody | null))?.end
      if (endBody && sending instanceof Promise) keepUntilEnd(endBody, sending, options)
      else if (sending instanceof Promise) await sending
    } catch (error) {
      // The client left before the server read the request.
      if (res.closed && !res.headersSent) return
      fail(req, res, error)
    } finally {
      end()
      waiting.add(res)
      linger.finish(req, res)
    }
  }

  const listen: RequestListener = (req, res) => {
    if (isClosing()) res.shouldKeepAlive = false
    const origin = readOrigin(req, isTrustedPeer)
    const target = readTarget(req.url)
    if (origin === null || target === null || lacksHost(req)) {
      // If the request has a body, Node would close the connection while the body still arrives, so
      // omit `connection: close`.
      const lines = hasBody(req) ? [] : ['connection', 'close']
      return refuseWithScreen(res, 400, { screen, lines, linger })
    }
    req.url = target
    // A load balancer uses the server's address as the host, so respond to health checks before
    // checking the host.
    if (respondHealth(req, res, health)) return
    if (isAllowedHost?.(origin) === false) {
      reportHost(origin)
      const lines = hasBody(req) ? [] : ['connection', 'close']
      return refuseWithScreen(res, 400, { screen, lines, linger })
    }
    if (respondClearCookies(req, res, { origin, basePath: options.basePath })) {
      return linger.finish(req, res)
    }
    if (headBytes(req) > maxHeadBytes) {
      const status = target.length > maxTargetLength ? 414 : 431
      return refuseWithScreen(res, status, { screen, linger })
    }
    if (serveFile(req, res, options)) return
    if (isForbiddenMethod(req.method)) {
      return refuseWithScreen(res, 405, { screen, lines: ['allow', allow], linger })
    }
    const run = () => respond(req, res, { origin, target, isTrustedPeer })
    const admission = shedding?.admit(isPrefetch(req)) ?? 'run'
    if (admission === 'run') return run()
    if (admission === 'refuse') return refuseExcess(req, res)
    // Another request will call `run`, so keep the async context, which may hold a tracer's span.
    const runLater = AsyncLocalStorage.bind(() => runOrFail(req, res, run))
    shedding?.wait({ isGone: () => res.closed, run: runLater })
  }

  const respond = (req: IncomingMessage, res: ServerResponse, url: RequestUrl) => {
    // The server may have started to shut down while the request waited.
    if (isClosing()) res.shouldKeepAlive = false
    if (slots.isFull() && !slots.cutSlow()) return refuseExcess(req, res)
    const response = handle(new NodeRequest(req, res, url))
    // Prerendered responses need no slot.
    if (!('then' in response) && staticFiles?.writeCached(req, res, response)) return
    void sendLater(req, res, response)
    if ('then' in response) shedding?.track(response)
  }

  const refuseExcess = (req: IncomingMessage, res: ServerResponse) => {
    shedding?.refused()
    refuseBusy(res, { screen, linger, isPageData: isPageData(req, options.basePath) })
  }

  const runOrFail = (req: IncomingMessage, res: ServerResponse, run: () => void) => {
    try {
      run()
    } catch (error) {
      fail(req, res, error)
    }
  }

  return (req, res) => runOrFail(req, res, () => listen(req, res))
}

function isPrefetch({ headers }: IncomingMessage): boolean {
  return headers[prefetchHeader] !== undefined || headers['sec-purpose'] !== undefined
}

function isPageData({ url = '/' }: IncomingMessage, basePath = ''): boolean {
  return url.startsWith(basePath + dataPrefix)
}

// Maximum number of refused hosts to log. Any more most likely come from a scanner, which must not
// flood the log.
const maxReportedHosts = 5

function createHostReport({ onRefusedHost }: ListenerOptions): (origin: string) => void {
  const reported = new Set<string>()
  return (origin) => {
    if (reported.size >= maxReportedHosts || reported.has(origin)) return
    reported.add(origin)
    onRefusedHost?.(origin)
  }
}

/**
 * Maximum bytes of a head, equal to Node's default. Node's own limit is set higher, so that the
 * listener learns the requested URL.
 */
const maxHeadBytes = 16_384

/** Returns the approximate size of a request's head in bytes. */
function headBytes({ url = '', rawHeaders }: IncomingMessage): number {
  let bytes = url.length
  for (const text of rawHeaders) bytes += text.length
  // Each header line also has `: ` and a line break.
  return bytes + rawHeaders.length * 2
}

/** True if the request has a body. RFC 9112 §6.3: without these headers, the request ends with its head. */
function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers
  return coding !== undefined || length !== '0'
}

/**
 * True if the request lacks a required `Host` (RFC 9112 §3.2). Node's own 400 would have no body.
 */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion !== '1.0'
}

/**
 * Limits the memory that complete responses occupy while their clients read slowly, by cutting
 * those that have waited longest. Streamed bodies don't count, because they are written at the
 * client's speed.
 */
export function createWaitingResponses(maxBytes: number) {
  const waiting = new Map<ServerResponse, number>()
  let waitingBytes = 0
  return {
    add(res: ServerResponse): void {
      const bytes = res.writableFinished || res.destroyed ? 0 : res.writableLength
      if (bytes === 0 || waiting.has(res)) return
      waiting.set(res, bytes)
      waitingBytes += bytes
      const remove = neverThrows(() => {
        if (waiting.delete(res)) waitingBytes -= bytes
      }, undefined)
      res.once('finish', remove).once('close', remove)
      for (const oldest of waiting.keys()) {
        if (waitingBytes <= maxBytes) break
        waitingBytes -= waiting.get(oldest) ?? 0
        waiting.delete(oldest)
        oldest.destroy()
      }
    },
    bytes: () => waitingBytes,
  }
}

/** Registers an endless body, so that the server can end it when it shuts down. */
function keepUntilEnd(
  end: () => void,
  sending: Promise<void>,
  { isClosing, openEnded }: ListenerOptions,
): void {
  const forget = () => void openEnded?.delete(end)
  openEnded?.add(end)
  sending.then(forget, forget)
  if (isClosing?.()) end()
}

export function isForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Creates the listener for WebSocket requests. It handles them like other requests, except that a
 * response may take over the connection. After an upgrade, Node no longer manages the connection,
 * so there are no timeouts and it isn't closed automatically.
 * @param running the server's running requests
 */
export function createUpgradeListener(
  server: Pick<Server, 'emit'> & { readonly headersTimeout?: number },
  running: RunningResponses,
): (req: IncomingMessage, duplex: Duplex, head: Buffer) => void {
  // Load `node:http` late. The comment at `createServer` in httpServer.ts has the reason.
  const { ServerResponse } = process.getBuiltinModule('node:http')
  return (req, duplex, head) => {
    // In Node's HTTP servers, the stream is always a `net.Socket`.
    const socket = duplex as Socket
    const destroy = neverThrows(() => socket.destroy(), socket)
    // While an earlier, pipelined request is waiting, refuse the upgrade: that request's response
    // couldn't be sent any more.
    if (running.of(socket)) return void destroy()
    if (!isForWebSocket(req)) return readAgain(server, req, socket, head)
    const res = new ServerResponse(req)
    const goOn = neverThrows(() => res.emit('drain'), false)
    const end = neverThrows(() => socket.destroySoon(), undefined)
    socket.setTimeout(server.headersTimeout ?? 30_000, destroy)
    socket.on('error', destroy).on('drain', goOn).unshift(head)
    res.once('finish', end).assignSocket(socket)
    res.shouldKeepAlive = false
    server.emit('request', req, res)
  }
}

/**
 * Lets Node parse a request again without its `upgrade` header. Before Node 22.21, every request
 * with this header counts as an upgrade. RFC 9110 §7.8
 */
function readAgain(
  server: Pick<Server, 'emit'>,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = rawHeaders.map((name, i) =>
    i % 2 === 1 || name.toLowerCase() === 'upgrade' ? '' : `${name}: ${rawHeaders[i + 1]}\r\n`,
  )
  const text = `${method} ${url} HTTP/${httpVersion}\r\n${lines.join('')}\r\n`
  socket.unshift(Buffer.concat([Buffer.from(text, 'latin1'), head]))
  server.emit('connection', socket)
}

/**
 * @returns false if the handler must respond. The handler also redirects other spellings of the
 * path
 */
function serveFile(
  req: IncomingMessage,
  res: ServerResponse,
  { staticFiles, basePath = '', trailingSlash = false }: ListenerOptions,
): boolean {
  const target = req.url ?? '/'
  const inner = unmounted(target, basePath)
  if (inner === null) return false
  const path = trailingSlash ? withoutSlash(inner) : inner
  const whole = mounted(path, basePath)
  if ((trailingSlash ? withSlash(whole, basePath) : whole) !== target) return false
  req.url = path
  return staticFiles?.serve(req, res) === true
}

// A server whose slots have all been in use for this many milliseconds reports that it isn't ready.
// A burst of requests may use all slots for a moment.
const unreadyWhenFullMs = 5_000

type Health = ReturnType<typeof createHealth>

function createHealth(options: ListenerOptions, slots: RequestSlots) {
  const { isReady = () => true, uncaughtExceptions = () => 0, shedding } = options
  return {
    /**
     * False before the server is ready, while it shuts down, and when all slots have been in use for
     * too long.
     */
    isReady: () => isReady() && slots.fullForMs() < unreadyWhenFullMs,
    counts: () => ({
      ...slots.counts(),
      ...shedding?.counts(),
      uncaughtExceptions: uncaughtExceptions(),
    }),
  }
}

function createFail({ logger, screen }: ListenerOptions) {
  return neverThrows((req: IncomingMessage, res: ServerResponse, error: unknown) => {
    logger.error(`${req.method} ${req.url} failed`, error)
    if (res.headersSent) res.destroy()
    else refuseWithScreen(res, 500, { screen })
  }, undefined)
}

export const livePath = `${reservedPaths.health}live`

const readyPath = `${reservedPaths.health}ready`

/** Responds to health checks, even if proxy.ts would refuse the request or all slots are in use. */
function respondHealth(req: IncomingMessage, res: ServerResponse, health: Health): boolean {
  const target = req.url ?? '/'
  if (!target.startsWith(reservedPaths.health)) return false
  const [path] = target.split('?', 1)
  if (path !== livePath && path !== readyPath) return false
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    refuse(res, 405, ['allow', 'GET, HEAD'])
    return true
  }
  const status = path === livePath ? 'live' : health.isReady() ? 'ready' : 'unready'
  const text = `${JSON.stringify({ status, ...health.counts() })}\n`
  res.writeHead(status === 'unready' ? 503 : 200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': text.length,
  })
  res.end(req.method === 'HEAD' ? undefined : text)
  return true
}

type RequestSlots = ReturnType<typeof createRequestSlots>

type RequestSlotsOptions = {
  readonly max: number
  /**
   * Milliseconds for which a handler keeps its slot after its client has left. Otherwise, clients
   * that leave early could start any number of handlers. Default: 1 s.
   */
  readonly graceMs?: number
  readonly now?: () => number
}

export function createRequestSlots(options: RequestSlotsOptions) {
  const { max, graceMs = 1_000, now = () => performance.now() } = options
  // An array, because V8 reallocates a Set's table every few requests. A dead table in the old
  // space would keep later tables alive, and with them all responses.
  const accepted: ServerResponse[] = []
  let running = 0
  let abandoned = 0
  let fullSinceMs = now()

  const oldestSlow = () => accepted.find((res) => !res.req.complete && !res.destroyed)

  /**
   * Cuts the oldest request whose body hasn't arrived completely. @returns false if there was no
   * such request
   */
  const cutSlow = () => oldestSlow()?.destroy() !== undefined

  /**
   * @returns a function to call when the handler is done. If the client leaves first, the slot is
   * freed after `graceMs`
   */
  function take(res: ServerResponse): () => void {
    accepted.push(res)
    running++
    if (running === max) fullSinceMs = now()
    let isAbandoned = false
    let grace: NodeJS.Timeout | undefined
    const abandon = () => {
      isAbandoned = true
      running--
      abandoned++
    }
    const onClose = neverThrows(() => (grace = setTimeout(abandon, graceMs)), undefined)
    res.once('close', onClose)
    return () => {
      accepted.splice(accepted.indexOf(res), 1)
      res.off('close', onClose)
      clearTimeout(grace)
      if (isAbandoned) abandoned--
      else running--
    }
  }

  return {
    isFull: () => running >= max,
    cutSlow,
    fullForMs: () => (running >= max && !oldestSlow() ? now() - fullSinceMs : 0),
    take,
    counts: () => ({
      runningRequests: running,
      /** Number of handlers that still run although their client has left. */
      abandonedRequests: abandoned,
    }),
  }
}
