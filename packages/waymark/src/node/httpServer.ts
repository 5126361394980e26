import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadShedding } from '../builds/builtServer.ts'
import { frameworkError } from '../shared/errors.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { timedOut, withDeadline } from '../shared/promises.ts'
import { createLinger, type LingerLimits } from './linger.ts'
import {
  createRequestListener,
  createUpgradeListener,
  isForWebSocket,
  type ListenerOptions,
} from './listener.ts'
import { createLoadShedding, type OverloadEpisode } from './loadShedding.ts'
import { refuseWithScreen, respondConnect, respondMalformed } from './refuse.ts'
import { createRunningResponses, type RunningResponses } from './runningResponses.ts'
import { createSlowBodies } from './slowBodies.ts'

/** Options of `createNodeServer`. `handle`, from the built server, is required. */
export type NodeServerOptions = Omit<
  ListenerOptions,
  'maxRunning' | 'isClosing' | 'logger' | 'shedding'
> & {
  readonly host?: string
  /** 0 selects a free port. */
  readonly port: number
  readonly logger?: ListenerOptions['logger']
  /**
   * Milliseconds for which `close` still accepts requests, while health checks already report that
   * the server isn't ready. This gives load balancers time to notice. Default: 0.
   */
  readonly drainDelayMs?: number | undefined
  /** Milliseconds that `close` gives to running requests after `drainDelayMs`. Default: 10 s. */
  readonly drainTimeoutMs?: number | undefined
  readonly limits?: ServerLimits
  /** Limits for an overloaded server. `false` refuses no requests. */
  readonly loadShedding?: LoadShedding | false | undefined
  /** Called when the server starts to refuse requests because it is overloaded. */
  readonly onOverload?: (() => void) | undefined
  /** Called once an overloaded server has refused nothing for ten seconds. */
  readonly onRecovery?: ((episode: OverloadEpisode) => void) | undefined
  /** Wraps the request listener, for example to log requests. */
  readonly wrap?: ((listener: RequestListener) => RequestListener) | undefined
}

/** A server created by `createNodeServer`. */
export type NodeServer = {
  /**
   * Starts to listen.
   * @throws `PORT_IN_USE` if a different program uses the port, and `NOT_LISTENING` for any other
   * failure
   */
  listen(): Promise<{ url: string; port: number }>
  /**
   * Shuts down: makes health checks report that the server isn't ready, waits for `drainDelayMs`,
   * stops accepting connections, closes idle ones, and cuts running requests at the deadline.
   * @param how `isHurried`: true to skip `drainDelayMs`
   * @returns `cut` if requests were cut
   */
  close(how?: { readonly isHurried?: boolean }): Promise<CloseOutcome>
}

type CloseOutcome = { outcome: 'drained' | 'cut' }

// A static import of `node:http` reads all of its exports. Reading `WebSocket` loads fetch, which
// takes 30 ms.
const { createServer } = process.getBuiltinModule('node:http')

// Milliseconds between sweeps of idle connections while draining. Node would leave these open until
// their timeout.
const idleSweepMs = 50

/**
 * Creates a server on `node:http` with timeouts, limits, health checks and a graceful shutdown. It
 * starts to listen when you call `listen()`.
 */
export function createNodeServer(options: NodeServerOptions): NodeServer {
  const { host, port, drainDelayMs = 0, drainTimeoutMs = 10_000 } = options
  const limits = { ...defaultLimits, ...options.limits }
  const logger = options.logger ?? { error: (message, error) => console.error(message, error) }
  let closing: Promise<CloseOutcome> | null = null
  let isAccepting = true
  const openEnded = new Set<() => void>()
  const linger = createLinger(limits.linger)
  const { screen, loadShedding = {}, onOverload, onRecovery } = options
  const { maxRunning } = limits
  const shedding =
    loadShedding === false
      ? null
      : createLoadShedding({ ...loadShedding, maxRunning, onOverload, onRecovery })
  const listener = createRequestListener({
    ...options,
    logger,
    linger,
    shedding,
    maxWaitingBytes: limits.maxWaitingBytes,
    openEnded,
    maxRunning,
    isClosing: () => !isAccepting,
    isReady: () => closing === null && (options.isReady?.() ?? true),
  })
  const timeouts = {
    headersTimeout: limits.headersTimeoutMs,
    // Node's own limit would cut a large upload that is still progressing: see slowBodies.ts.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    shouldUpgradeCallback: isForWebSocket,
    maxHeaderSize: limits.maxHeadBytes,
    // Node would refuse a request without `Host` in plain text; the listener responds with a
    // screen.
    requireHostHeader: false,
  }
  const running = createRunningResponses()
  const slowBodies = createSlowBodies(limits)
  const watched: RequestListener = (req, res) => {
    slowBodies.watch(req)
    listener(req, res)
  }
  const server = createServer(timeouts, inTurn(options.wrap?.(watched) ?? watched, running))
  server.maxConnections = limits.maxConnections
  cutStalled(server, running, limits.stallTimeoutMs)
  const onMalformed = (error: Error, socket: Duplex) =>
    respondMalformed(error, socket, { screen, linger, running: running.of(socket) })
  server.on('clientError', neverThrows(onMalformed, undefined))
  slowBodies.start(server)
  const onExpectation = (_req: IncomingMessage, res: ServerResponse) =>
    refuseWithScreen(res, 417, { screen, linger })
  server.on('checkExpectation', neverThrows(onExpectation, undefined))
  server.on('connect', neverThrows(respondConnect, undefined))
  server.on('upgrade', neverThrows(createUpgradeListener(server, running), undefined))
  if (shedding) server.on('connection', neverThrows(shedding.accepted, undefined))
  const sockets = openSockets(server)

  return {
    listen: () => listen(server, port, host),
    close({ isHurried = false } = {}) {
      closing ??= (async () => {
        if (!isHurried && drainDelayMs > 0) await sleep(drainDelayMs)
        isAccepting = false
        for (const end of openEnded) end()
        return drain(server, sockets, drainTimeoutMs)
      })()
      return closing
    },
  }
}

// Maximum number of pipelined requests per connection. Browsers and proxies don't pipeline, so a
// few are enough.
const maxPipelined = 32

/**
 * Handles a pipelined request once its connection's earlier responses have been sent. Before that,
 * it would only occupy memory and a request slot. RFC 9112 §9.3.2
 */
function inTurn(listener: RequestListener, running: RunningResponses): RequestListener {
  const handle: RequestListener = (req, res) => {
    running.add(res)
    listener(req, res)
  }
  const waiting = new WeakMap<Socket, number>()
  return (req, res) => {
    const { socket } = req
    if (res.socket) return handle(req, res)
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > maxPipelined) socket.destroy()
    const onTurn = neverThrows(() => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      handle(req, res)
    }, undefined)
    res.once('socket', onTurn)
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
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw frameworkError('PORT_IN_USE', { port, user: 'another program' })
    throw frameworkError('NOT_LISTENING', { reason: message })
  }
  const address = server.address() as AddressInfo
  return { url: `http://${displayHost(host)}:${address.port}`, port: address.port }
}

function displayHost(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function openSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  const onConnection = neverThrows((socket: Socket) => {
    if (sockets.has(socket)) return
    sockets.add(socket)
    // Node caches the address on the first read, and can't read it after the client has left. So
    // read it now.
    void socket.remoteAddress
    const onClose = neverThrows(() => sockets.delete(socket), false)
    socket.once('close', onClose)
  }, undefined)
  server.on('connection', onConnection)
  return sockets
}

async function drain(
  server: Server,
  sockets: ReadonlySet<Socket>,
  timeoutMs: number,
): Promise<CloseOutcome> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const closeIdle = () => {
    server.closeIdleConnections()
    // Node counts connections that haven't received a byte as busy, so close them here.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  closeIdle()
  const sweep = setInterval(closeIdle, idleSweepMs)
  const isCut = (await withDeadline(closed, timeoutMs)) === timedOut
  // Node's own list of connections lacks WebSockets and other upgraded connections.
  if (isCut) for (const socket of sockets) socket.destroy()
  await closed
  clearInterval(sweep)
  return { outcome: isCut ? 'cut' : 'drained' }
}

const defaultLimits = {
  /**
   * Maximum milliseconds for receiving a request's head. Default: 30 s, as for opening a WebSocket.
   */
  headersTimeoutMs: 30_000,
  /**
   * Milliseconds after which the server refuses a request whose body stalls, or is slower than 4 kB/s on average. A
   * body that keeps arriving faster has no time limit. Default: 5 min.
   */
  requestTimeoutMs: 300_000,
  /** Milliseconds between checks of `headersTimeoutMs` and `requestTimeoutMs`. Default: 5 s. */
  checkIntervalMs: 5_000,
  /**
   * Milliseconds after which an idle connection is closed. Default: 65 s, which is longer than load
   * balancers' 60 s.
   */
  keepAliveTimeoutMs: 65_000,
  /**
   * Milliseconds after which a client that doesn't read its response is disconnected. Time in which
   * the response has nothing to send doesn't count. Default: 60 s.
   */
  stallTimeoutMs: 60_000,
  /** Maximum number of connections. Further connections are dropped. Default: 20,000. */
  maxConnections: 20_000,
  /** Maximum number of requests that the handler runs at the same time. Further requests get a 503. Default: 1,000. */
  maxRunning: 1_000,
  /**
   * Maximum bytes of a request head that Node's parser accepts. The listener itself refuses heads
   * of more than 16 kB.
   */
  maxHeadBytes: 65_536,
  /**
   * Maximum bytes of complete responses that wait for slow clients. Above this limit, the oldest
   * responses are cut. Default: 100 MB.
   */
  maxWaitingBytes: 100_000_000,
  /**
   * Limits for reading from a client that continues to send after the server has refused its
   * request.
   */
  linger: {} as Partial<LingerLimits>,
}

/** Limits that protect a server from slow clients and overload. */
export type ServerLimits = Readonly<Partial<typeof defaultLimits>>

/**
 * Cuts connections whose client doesn't read its response. Otherwise the response would stay in
 * memory, and the request would never end. Node's socket timer misses a client that slowly reads
 * one large write.
 */
function cutStalled(server: Server, running: RunningResponses, stallTimeoutMs: number): void {
  server.timeout = stallTimeoutMs
  const onTimeout = neverThrows((socket: Socket) => {
    // A response without bytes to send may be waiting for its data, so don't cut it.
    if (running.of(socket) === null || socket.writableLength > 0) socket.destroy()
  }, undefined)
  server.on('timeout', onTimeout)
}

export type SignalSource = {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown
  exit(code: number): void
}

/** Options of `closeOnSignals`. */
export type CloseOptions = {
  /** Runs after the last request, for example to write a journal or close a database. */
  readonly beforeExit?: () => Promise<void> | void
  /** True to ignore a second signal. A supervisor and the terminal may both send one. */
  readonly isPatient?: boolean
  /** Process whose signals are handled. Default: `process`. */
  readonly source?: SignalSource
  /** Logs an error that occurs while closing. Default: `console.error`. */
  readonly onError?: (message: string, error: unknown) => void
}

/**
 * Ends the process on SIGTERM and SIGINT: closes the server, then exits with code 0. A second
 * signal exits at once, with the shell's code for that signal. SIGINT skips the drain delay,
 * because it comes from somebody at a terminal.
 * @returns an object whose `close(exitCode = 0)` ends the process without a signal
 */
export function closeOnSignals(
  server: { close(how: { readonly isHurried: boolean }): Promise<unknown> },
  options: CloseOptions = {},
): { close(isHurried: boolean, exitCode?: number): Promise<void> } {
  const { beforeExit, isPatient = false, source = process, onError = console.error } = options
  let isClosing = false
  const close = async (isHurried: boolean, exitCode = 0) => {
    if (isClosing) return
    isClosing = true
    try {
      await server.close({ isHurried })
      await beforeExit?.()
      source.exit(exitCode)
    } catch (error) {
      onError('The server could not be closed.', error)
      source.exit(1)
    }
  }
  const onSignal = neverThrows((signal: NodeJS.Signals) => {
    if (isClosing && !isPatient) source.exit(signal === 'SIGINT' ? 130 : 143)
    else void close(signal === 'SIGINT')
  }, undefined)
  source.on('SIGTERM', onSignal)
  source.on('SIGINT', onSignal)
  return { close }
}
