import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { neverThrows } from '../shared/neverThrows.ts'

/** Limits that keep slow and numerous clients from holding a server. */
export type ServerLimits = {
  /** For the head of a request; default 30 s. */
  readonly headersTimeoutMs?: number
  /** For a whole request; default 5 min. */
  readonly requestTimeoutMs?: number
  /** How often the two above are looked at; default 5 s. */
  readonly checkIntervalMs?: number
  /** Of an idle connection; default 65 s, above the 60 s after which load balancers let go. */
  readonly keepAliveTimeoutMs?: number
  /**
   * For a client that takes nothing of what it is sent; default 60 s. An answer that waits for
   * its own data may be silent for longer.
   */
  readonly stallTimeoutMs?: number
  /** Open connections; further ones are dropped. Default 10,000. */
  readonly maxConnections?: number
  /** Requests in the handler at once; further ones get a 503. Default 1,000. */
  readonly maxRunning?: number
}

/** The limits as a server holds to them. */
export function resolveLimits(given: ServerLimits): Required<ServerLimits> {
  return {
    headersTimeoutMs: given.headersTimeoutMs ?? 30_000,
    requestTimeoutMs: given.requestTimeoutMs ?? 300_000,
    checkIntervalMs: given.checkIntervalMs ?? 5_000,
    keepAliveTimeoutMs: given.keepAliveTimeoutMs ?? 65_000,
    stallTimeoutMs: given.stallTimeoutMs ?? 60_000,
    maxConnections: given.maxConnections ?? 10_000,
    maxRunning: given.maxRunning ?? 1_000,
  }
}

/** What `node:http` takes of the limits. */
export function serverTimeouts(limits: Required<ServerLimits>) {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
  }
}

/**
 * Cuts connections whose client takes nothing of what it is sent: what is written for it would
 * stay in memory, and its request would count as running. Node's timer notices bytes that leave
 * slowly, also within one large write.
 */
export function cutStalled(server: Server, stallTimeoutMs: number): void {
  server.timeout = stallTimeoutMs
  const onTimeout = neverThrows((socket: Socket & { _httpMessage?: unknown }) => {
    // Silent because the answer still waits for its data: the client is not to blame.
    const isAnswered = socket._httpMessage === undefined || socket._httpMessage === null
    if (isAnswered || socket.writableLength > 0) socket.destroy()
  }, undefined)
  server.on('timeout', onTimeout)
}
