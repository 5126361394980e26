import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { neverThrows } from '../shared/neverThrows.ts'
import { healthPrefix } from '../shared/protocol.ts'
import type { Handle } from '../shared/response.ts'
import { allow, isForbiddenMethod, type RefusalScreen, refuse, refuseWithScreen } from './refuse.ts'
import {
  createIsTrustedPeer,
  createServerRequest,
  type RequestUrl,
  readOrigin,
  readTarget,
  type TrustProxy,
} from './request.ts'
import { createRequestSlots, type RequestCounts, type RequestSlots } from './requestSlots.ts'
import type { StaticFiles } from './static/staticFiles.ts'
import { writeResponse } from './writeResponse.ts'

/** Hears of what went wrong outside the handler. */
export type ServerLogger = { error(message: string, error: unknown): void }

/** What answers requests: static files first, then the handler. */
export type ListenerOptions = {
  readonly handle: Handle
  readonly staticFiles?: StaticFiles | undefined
  /** Default: forwarded headers count from nobody. */
  readonly trustProxy?: TrustProxy | undefined
  /** Requests in the handler at once; further ones get a 503 at once. Default: no limit. */
  readonly maxRunning?: number | undefined
  /** While it says yes, answers tell their client that the connection will close. */
  readonly isClosing?: (() => boolean) | undefined
  /** What the server says to a balancer that asks whether it may send requests; default: yes. */
  readonly isReady?: (() => boolean) | undefined
  /** How many there were in the process; told by its health. */
  readonly uncaughtExceptions?: (() => number) | undefined
  /** What a refused client is shown, where it asked for HTML or JSON; default: plain text. */
  readonly screen?: RefusalScreen | undefined
  readonly logger: ServerLogger
}

/**
 * Makes the listener of a `node:http` server.
 */
export function createRequestListener(options: ListenerOptions): RequestListener {
  const { handle, staticFiles, maxRunning = Number.POSITIVE_INFINITY } = options
  const { isClosing = () => false, screen } = options
  const isTrustedPeer = createIsTrustedPeer(options.trustProxy ?? false)
  const slots = createRequestSlots({ max: maxRunning })
  const health = createHealth(options, slots)
  const fail = createFail(options)

  const answer = async (req: IncomingMessage, res: ServerResponse, url: RequestUrl) => {
    const end = slots.take(res)
    try {
      const found = await handle(createServerRequest(req, res, url))
      if (isClosing()) res.shouldKeepAlive = false
      if (staticFiles?.answerCached(req, res, found)) return
      await writeResponse(res, found)
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
    if (staticFiles?.answer(req, res)) return
    if (respondHealth(req, res, health)) return
    if (isForbiddenMethod(req.method)) {
      return refuseWithScreen(res, 405, { screen, lines: ['allow', allow] })
    }
    if (slots.isFull()) {
      return refuseWithScreen(res, 503, { screen, lines: ['retry-after', '1'] })
    }
    void answer(req, res, { origin, target, isTrustedPeer })
  }

  return (req, res) => {
    try {
      listen(req, res)
    } catch (error) {
      fail(req, res, error)
    }
  }
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

/** Creates what answers a request that the server's own code failed at. */
function createFail({ logger, screen }: ListenerOptions) {
  return neverThrows((req: IncomingMessage, res: ServerResponse, error: unknown) => {
    logger.error(`${req.method} ${req.url} could not be answered`, error)
    if (res.headersSent) res.destroy()
    else refuseWithScreen(res, 500, { screen })
  }, undefined)
}

/** Asked by whoever restarts servers: does the process answer at all? */
export const livePath = `${healthPrefix}live`

/** Asked by whoever sends requests to servers: shall it be sent any? */
export const readyPath = `${healthPrefix}ready`

/** How a server is. */
export type Health = {
  /** False while the server starts, from before it stops accepting, and while it is full for long. */
  isReady(): boolean
  counts(): RequestCounts & {
    /** Of this process, since its start. */
    readonly uncaughtExceptions: number
  }
}

/**
 * Answers a balancer's or supervisor's question. It is answered here, before the handler, so that
 * neither proxy.ts nor a limit on running requests decides about the health of a server.
 * @returns false when the request is for the handler
 */
export function respondHealth(req: IncomingMessage, res: ServerResponse, health: Health): boolean {
  const target = req.url ?? '/'
  if (!target.startsWith(healthPrefix)) return false
  const queryStart = target.indexOf('?')
  const path = queryStart === -1 ? target : target.slice(0, queryStart)
  if (path !== livePath && path !== readyPath) return false
  if (req.method !== 'GET' && req.method !== 'HEAD') refuse(res, 405, ['allow', 'GET, HEAD'])
  else if (path === livePath) send(res, { status: 'live', ...health.counts() })
  else send(res, { status: health.isReady() ? 'ready' : 'unready', ...health.counts() })
  return true
}

type HealthState = { status: 'live' | 'ready' | 'unready' } & ReturnType<Health['counts']>

function send(res: ServerResponse, state: HealthState): void {
  const text = `${JSON.stringify(state)}\n`
  const status = state.status === 'unready' ? 503 : 200
  res.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': text.length,
  })
  res.end(res.req.method === 'HEAD' ? undefined : text)
}
