import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { frameworkError } from '../shared/errors.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { cutStalled, resolveLimits, type ServerLimits, serverTimeouts } from './limits.ts'
import { createRequestListener, type ListenerOptions } from './listener.ts'
import { respondConnect, respondMalformed } from './malformed.ts'

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
   * Says that it is not ready, waits for `drainDelayMs`, stops accepting, closes idle connections, lets running
   * requests end, cuts them at the deadline.
   * @param how `isHurried`: somebody waits for the end, so the delay is left out
   * @returns `cut` when some were still running then
   */
  close(how?: { readonly isHurried?: boolean }): Promise<{ outcome: 'drained' | 'cut' }>
}

// Ends connections that go idle while the server drains: Node keeps them to their own timeout.
const idleSweepMs = 50

/**
 * Makes a production server: static files, then the handler.
 */
export function createNodeServer(options: NodeServerOptions): NodeServer {
  const { host, port, drainDelayMs = 0, drainTimeoutMs = 10_000 } = options
  const limits = resolveLimits(options.limits ?? {})
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
  const server = createServer(serverTimeouts(limits), answer)
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

/** Makes what closes the connections that no request runs on. */
function createCloseIdle(server: Server): () => void {
  const sockets = new Set<Socket>()
  const follow = neverThrows((socket: Socket) => {
    sockets.add(socket)
    socket.once(
      'close',
      neverThrows(() => sockets.delete(socket), false),
    )
  }, undefined)
  server.on('connection', follow)
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
