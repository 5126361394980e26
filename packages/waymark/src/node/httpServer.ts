import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { frameworkError } from '../shared/errors.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { timedOut, withDeadline } from '../shared/promises.ts'
import { createRequestListener, type ListenerOptions } from './listener.ts'
import { observeRequests, type RequestObserver } from './observeRequests.ts'
import { type Observing, respondMetrics } from './prometheus.ts'
import { respondConnect, respondMalformed } from './refuse.ts'

/** A production server. */
export type NodeServerOptions = Omit<ListenerOptions, 'maxRunning' | 'isClosing' | 'logger'> & {
  readonly host?: string
  /** 0 takes a free one. */
  readonly port: number
  readonly logger?: ListenerOptions['logger']
  /**
   * How long `close` goes on accepting, while the server says that it is not ready: the time that
   * balancers need to notice. Default: none.
   */
  readonly drainDelayMs?: number | undefined
  /** How long `close` lets running requests go on, from then on; default 10 s. */
  readonly drainTimeoutMs?: number | undefined
  readonly limits?: ServerLimits
  /** Gets each request once it is over. Default: none is observed. */
  readonly observer?: RequestObserver | undefined
  /** What scrapers get, by their token. Default: nothing is there. */
  readonly metrics?: Observing['metrics']
}

/** A server that can be started and ended once. */
export type NodeServer = {
  /** Rejects with `PORT_TAKEN` when another program has the port. */
  listen(): Promise<{ url: string; port: number }>
  /**
   * Reports that it is not ready, waits for `drainDelayMs`, stops accepting, closes idle
   * connections, lets running requests end, and cuts them at the deadline.
   * @param how `isHurried`: leaves the delay out
   * @returns `cut` when some were still running then
   */
  close(how?: { readonly isHurried?: boolean }): Promise<CloseOutcome>
}

type CloseOutcome = { outcome: 'drained' | 'cut' }

// Ends connections that go idle while the server drains: Node leaves them open to their own timeout.
const idleSweepMs = 50

/** Creates a production server: static files, then the handler. */
export function createNodeServer(options: NodeServerOptions): NodeServer {
  const { host, port, drainDelayMs = 0, drainTimeoutMs = 10_000 } = options
  const limits = { ...defaultLimits, ...options.limits }
  const logger = options.logger ?? { error: (message, error) => console.error(message, error) }
  let closing: Promise<CloseOutcome> | null = null
  let isAccepting = true
  const listener = createRequestListener({
    ...options,
    logger,
    maxRunning: limits.maxRunning,
    isClosing: () => !isAccepting,
    isReady: () => closing === null && (options.isReady?.() ?? true),
  })
  const timeouts = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
  }
  const server = createServer(timeouts, withObserver(listener, options))
  server.maxConnections = limits.maxConnections
  cutStalled(server, limits.stallTimeoutMs)
  server.on('clientError', neverThrows(respondMalformed, undefined))
  server.on('connect', neverThrows(respondConnect, undefined))
  const closeIdle = createCloseIdle(server)

  return {
    listen: () => listen(server, port, host),
    close({ isHurried = false } = {}) {
      closing ??= (async () => {
        if (!isHurried && drainDelayMs > 0) await sleep(drainDelayMs)
        isAccepting = false
        return drain(server, closeIdle, drainTimeoutMs)
      })()
      return closing
    },
  }
}

function withObserver(
  listener: RequestListener,
  { observer, metrics }: Pick<NodeServerOptions, 'observer' | 'metrics'>,
): RequestListener {
  const observed = observer ? observeRequests(listener, observer) : listener
  if (!metrics) return observed
  return (req, res) => {
    if (!respondMetrics(req, res, metrics)) observed(req, res)
  }
}

async function listen(
  server: Server,
  port: number,
  host: string | undefined,
): Promise<{ url: string; port: number }> {
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EADDRINUSE' ? frameworkError('PORT_TAKEN', { port }) : error
  }
  // A server that listens on a port has an address of this kind.
  const address = server.address() as AddressInfo
  return { url: `http://${displayHost(host)}:${address.port}`, port: address.port }
}

function displayHost(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Creates what closes connections without a running request. */
function createCloseIdle(server: Server): () => void {
  const sockets = new Set<Socket>()
  const onConnection = neverThrows((socket: Socket) => {
    sockets.add(socket)
    const onClose = neverThrows(() => sockets.delete(socket), false)
    socket.once('close', onClose)
  }, undefined)
  server.on('connection', onConnection)
  return () => {
    server.closeIdleConnections()
    // Node counts a connection as busy before its first byte, too.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
}

async function drain(
  server: Server,
  closeIdle: () => void,
  timeoutMs: number,
): Promise<CloseOutcome> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  closeIdle()
  const sweep = setInterval(closeIdle, idleSweepMs)
  const isCut = (await withDeadline(closed, timeoutMs)) === timedOut
  if (isCut) server.closeAllConnections()
  await closed
  clearInterval(sweep)
  return { outcome: isCut ? 'cut' : 'drained' }
}

const defaultLimits = {
  /** For the head of a request; default 30 s. */
  headersTimeoutMs: 30_000,
  /** For a whole request; default 5 min. */
  requestTimeoutMs: 300_000,
  /** How often these two are checked; default 5 s. */
  checkIntervalMs: 5_000,
  /** Of an idle connection; default 65 s, above the 60 s after which load balancers let go. */
  keepAliveTimeoutMs: 65_000,
  /**
   * For a client that reads nothing of its response; default 60 s. A response that waits for its
   * own data may be silent for longer.
   */
  stallTimeoutMs: 60_000,
  /** Open connections; further ones are dropped. Default 10,000. */
  maxConnections: 10_000,
  /** Requests in the handler at once; further ones get a 503. Default 1,000. */
  maxRunning: 1_000,
}

/** Limits against slow and numerous clients. */
export type ServerLimits = Readonly<Partial<typeof defaultLimits>>

/**
 * Cuts connections whose client reads nothing of its response: the bytes would stay in memory, and
 * the request would count as running. Node's timer also notices bytes that leave slowly within one
 * large write.
 */
function cutStalled(server: Server, stallTimeoutMs: number): void {
  server.timeout = stallTimeoutMs
  const onTimeout = neverThrows((socket: Socket & { _httpMessage?: unknown }) => {
    // Silent because the response still waits for its data: not the client's fault.
    const isWritten = socket._httpMessage === undefined || socket._httpMessage === null
    if (isWritten || socket.writableLength > 0) socket.destroy()
  }, undefined)
  server.on('timeout', onTimeout)
}
