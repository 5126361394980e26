import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { mounted, unmounted, withoutSlash, withSlash } from '../shared/basePath.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { healthPrefix } from '../shared/protocol.ts'
import type { Handle, HandlerResponse, Responding } from '../shared/response.ts'
import { allow, isForbiddenMethod, type RefusalScreen, refuse, refuseWithScreen } from './refuse.ts'
import {
  createIsTrustedPeer,
  createServerRequest,
  readOrigin,
  readTarget,
  type TrustProxy,
} from './request.ts'
import type { StaticFiles } from './static/staticFiles.ts'
import { writeResponse } from './writeResponse.ts'

/** Receives errors from outside the handler. */
export type ServerLogger = { error(message: string, error: unknown): void }

export type ListenerOptions = {
  readonly handle: Handle
  readonly staticFiles?: StaticFiles | undefined
  /** Path that the app is mounted at; default: the root. */
  readonly basePath?: string | undefined
  /** Whether URLs of pages end with a slash. */
  readonly trailingSlash?: boolean | undefined
  /** Default: forwarded headers count from nobody. */
  readonly trustProxy?: TrustProxy | undefined
  /** Requests in the handler at once; further ones get a 503 at once. Default: no limit. */
  readonly maxRunning?: number | undefined
  /** While true, responses announce that the connection will close. */
  readonly isClosing?: (() => boolean) | undefined
  /** What health checks of a load balancer get; default: ready. */
  readonly isReady?: (() => boolean) | undefined
  /** How many there were in the process; part of its health. */
  readonly uncaughtExceptions?: (() => number) | undefined
  /** The body for a refused client that accepts HTML or JSON; default: plain text. */
  readonly screen?: RefusalScreen | undefined
  readonly logger: ServerLogger
}

/** Creates the listener of a `node:http` server: static files first, then the handler. */
export function createRequestListener(options: ListenerOptions): RequestListener {
  const { handle, staticFiles, maxRunning = Number.POSITIVE_INFINITY } = options
  const { isClosing = () => false, screen } = options
  const isTrustedPeer = createIsTrustedPeer(options.trustProxy ?? false)
  const slots = createRequestSlots({ max: maxRunning })
  const health = createHealth(options, slots)
  const fail = createFail(options)

  const send = (req: IncomingMessage, res: ServerResponse, response: HandlerResponse) => {
    if (isClosing()) res.shouldKeepAlive = false
    return staticFiles?.writeCached(req, res, response) || writeResponse(res, response)
  }

  const sendLater = async (req: IncomingMessage, res: ServerResponse, response: Responding) => {
    const end = slots.take(res)
    try {
      const sending = send(req, res, 'then' in response ? await response : response)
      if (sending instanceof Promise) await sending
    } catch (error) {
      // The client left before anything was sent: what failed is the reading of its request.
      if (res.closed && !res.headersSent) return
      fail(req, res, error)
    } finally {
      end()
    }
  }

  const listen: RequestListener = (req, res) => {
    if (isClosing()) res.shouldKeepAlive = false
    const origin = readOrigin(req, isTrustedPeer)
    const target = readTarget(req.url)
    if (origin === null || target === null) {
      return refuseWithScreen(res, 400, { screen, lines: ['connection', 'close'] })
    }
    req.url = target
    if (respondHealth(req, res, health) || serveFile(req, res, options)) return
    if (isForbiddenMethod(req.method)) {
      return refuseWithScreen(res, 405, { screen, lines: ['allow', allow] })
    }
    if (slots.isFull()) {
      return refuseWithScreen(res, 503, { screen, lines: ['retry-after', '1'] })
    }
    const response = handle(createServerRequest(req, res, { origin, target, isTrustedPeer }))
    // What the build has rendered takes no slot: it is sent at once.
    if (!('then' in response) && staticFiles?.writeCached(req, res, response)) return
    void sendLater(req, res, response)
  }

  return (req, res) => {
    try {
      listen(req, res)
    } catch (error) {
      fail(req, res, error)
    }
  }
}

/** @returns false when the request is for the handler, as another spelling is, which it redirects */
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

// Traffic that fills all slots for a moment is what they are for.
const unreadyWhenFullMs = 5_000

function createHealth(options: ListenerOptions, slots: RequestSlots): Health {
  const { isReady = () => true, uncaughtExceptions = () => 0 } = options
  return {
    isReady: () => isReady() && slots.fullForMs() < unreadyWhenFullMs,
    counts: () => ({ ...slots.counts(), uncaughtExceptions: uncaughtExceptions() }),
  }
}

/** Creates what responds to a request on which the server's own code failed. */
function createFail({ logger, screen }: ListenerOptions) {
  return neverThrows((req: IncomingMessage, res: ServerResponse, error: unknown) => {
    logger.error(`${req.method} ${req.url} failed`, error)
    if (res.headersSent) res.destroy()
    else refuseWithScreen(res, 500, { screen })
  }, undefined)
}

/** For what restarts servers: does the process respond at all? */
export const livePath = `${healthPrefix}live`

/** For load balancers: should this server get requests? */
const readyPath = `${healthPrefix}ready`

/** The state that a server reports. */
type Health = {
  /** False while the server starts, from before it stops accepting, and while it stays full. */
  isReady(): boolean
  counts(): ReturnType<RequestSlots['counts']> & {
    /** Of this process, since its start. */
    readonly uncaughtExceptions: number
  }
}

/**
 * Responds to health checks: before the handler, so that neither proxy.ts nor a limit on running
 * requests decides about the health of a server.
 * @returns false when the request is for the handler
 */
function respondHealth(req: IncomingMessage, res: ServerResponse, health: Health): boolean {
  const target = req.url ?? '/'
  if (!target.startsWith(healthPrefix)) return false
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

/** The places of requests in the handler. */
type RequestSlots = ReturnType<typeof createRequestSlots>

/** How many slots there are, and when they are given back. */
type RequestSlotsOptions = {
  readonly max: number
  /**
   * How long a handler whose client left keeps its slot: without it, clients that leave at once
   * could have any number of handlers run. Default 1 s.
   */
  readonly graceMs?: number
  /** Milliseconds, of a clock that only goes forward. */
  readonly now?: () => number
}

/** Creates the slots of a server, all of them free. */
export function createRequestSlots(options: RequestSlotsOptions) {
  const { max, graceMs = 1_000, now = () => performance.now() } = options
  let running = 0
  let abandoned = 0
  let fullSinceMs = now()

  function acquire(): void {
    running++
    if (running === max) fullSinceMs = now()
  }

  /**
   * Takes a slot. It is free again once the handler is done, or soon after the response closed.
   * @returns to be called when the handler is done
   */
  function take(res: ServerResponse): () => void {
    acquire()
    let isAbandoned = false
    let grace: NodeJS.Timeout | undefined
    const abandon = () => {
      isAbandoned = true
      running--
      abandoned++
    }
    const onClose = neverThrows(() => {
      grace = setTimeout(abandon, graceMs)
    }, undefined)
    res.once('close', onClose)
    return () => {
      res.off('close', onClose)
      clearTimeout(grace)
      if (isAbandoned) abandoned--
      else running--
    }
  }

  return {
    isFull: () => running >= max,
    /** For how long no slot has been free. */
    fullForMs: () => (running >= max ? now() - fullSinceMs : 0),
    take,
    counts: () => ({
      /** Requests that hold a slot. */
      runningRequests: running,
      /** Handlers that still run though their client has left: an app that waits for ever. */
      abandonedRequests: abandoned,
    }),
  }
}
