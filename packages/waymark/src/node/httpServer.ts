import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { frameworkError } from '../shared/errors.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { createRequestListener, type ListenerOptions } from './listener.ts'
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
  close(how?: { readonly isHurried?: boolean }): Promise<{ outcome: 'drained' | 'cut' }>
}

// Ends connections that go idle while the server drains: Node keeps them to their own timeout.
const idleSweepMs = 50

/**
 * Creates a production server: static files, then the handler.
 */
export function createNodeServer(options: NodeServerOptions): NodeServer {
  const { host, port, drainDelayMs = 0, drainTimeoutMs = 10_000 } = options
  const limits = { ...defaultLimits, ...options.limits }
  const logger = options.logger ?? { error: (message, error) => console.error(message, error) }
  let closing: Promise<{ outcome: 'drained' | 'cut' }> | null = null
  let isAccepting = true
  const answer = createRequestListener({
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
  const server = createServer(timeouts, answer)
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

function listen(
  server: Server,
  port: number,
  host: string | undefined,
): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    const onError = neverThrows((error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? frameworkError('PORT_TAKEN', { port }) : error)
    }, undefined)
    server.once('error', onError)
    server.listen(port, host, () => {
      server.off('error', onError)
      // A server that listens on a port has an address of this kind.
      const address = server.address() as AddressInfo
      resolve({ url: `http://${displayHost(host)}:${address.port}`, port: address.port })
    })
  })
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

function drain(
  server: Server,
  closeIdle: () => void,
  timeoutMs: number,
): Promise<{ outcome: 'drained' | 'cut' }> {
  return new Promise((resolve) => {
    let outcome: 'drained' | 'cut' = 'drained'
    const deadline = setTimeout(() => {
      outcome = 'cut'
      server.closeAllConnections()
    }, timeoutMs)
    const sweep = setInterval(closeIdle, idleSweepMs)
    server.close(() => {
      clearTimeout(deadline)
      clearInterval(sweep)
      resolve({ outcome })
    })
    closeIdle()
  })
}

/** Limits against slow and numerous clients. */
export type ServerLimits = {
  /** For the head of a request; default 30 s. */
  readonly headersTimeoutMs?: number
  /** For a whole request; default 5 min. */
  readonly requestTimeoutMs?: number
  /** How often these two are checked; default 5 s. */
  readonly checkIntervalMs?: number
  /** Of an idle connection; default 65 s, above the 60 s after which load balancers let go. */
  readonly keepAliveTimeoutMs?: number
  /**
   * For a client that reads nothing of its response; default 60 s. A response that waits for its
   * own data may be silent for longer.
   */
  readonly stallTimeoutMs?: number
  /** Open connections; further ones are dropped. Default 10,000. */
  readonly maxConnections?: number
  /** Requests in the handler at once; further ones get a 503. Default 1,000. */
  readonly maxRunning?: number
}

const defaultLimits: Required<ServerLimits> = {
  headersTimeoutMs: 30_000,
  requestTimeoutMs: 300_000,
  checkIntervalMs: 5_000,
  keepAliveTimeoutMs: 65_000,
  stallTimeoutMs: 60_000,
  maxConnections: 10_000,
  maxRunning: 1_000,
}

/**
 * Cuts connections whose client reads nothing of its response: the bytes would stay in memory, and
 * the request would count as running. Node's timer also notices bytes that leave slowly within one
 * large write.
 */
function cutStalled(server: Server, stallTimeoutMs: number): void {
  server.timeout = stallTimeoutMs
  const onTimeout = neverThrows((socket: Socket & { _httpMessage?: unknown }) => {
    // Silent because the response still waits for its data: not the client's fault.
    const isAnswered = socket._httpMessage === undefined || socket._httpMessage === null
    if (isAnswered || socket.writableLength > 0) socket.destroy()
  }, undefined)
  server.on('timeout', onTimeout)
}
