import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Peer } from 'crossws'
import type { NodeAdapter } from 'crossws/adapters/node'
import type { HeaderLines } from 'waymark/plugin'
import type { Connection, SocketData, Transport } from './socketConnection.ts'
import type { SocketLimits } from './socketLimits.ts'

export type Opening = {
  readonly connection: Connection
  readonly limits: SocketLimits
  /** Headers for the handshake response. */
  readonly headers: HeaderLines
}

/** Opens WebSockets on the connections of Node's HTTP server. */
export function createNodeSockets() {
  const adapters = new Map<string, Promise<NodeAdapter>>()

  function adapterFor({ maxMessageBytes, idleTimeoutMs }: SocketLimits): Promise<NodeAdapter> {
    const key = `${maxMessageBytes} ${idleTimeoutMs}`
    const adapter = adapters.get(key) ?? createAdapter(maxMessageBytes, idleTimeoutMs)
    adapters.set(key, adapter)
    return adapter
  }

  /** @param socket the client's connection, which is closed if the handshake is invalid */
  return async (req: IncomingMessage, socket: Duplex, opening: Opening): Promise<void> => {
    const adapter = await adapterFor(opening.limits)
    // crossws reads no other properties of a `Request`.
    const request = { url: 'http://socket/', headers: new Headers(), context: opening }
    await adapter.handleUpgrade(req, socket, Buffer.alloc(0), request as unknown as Request)
  }
}

export type OpenSocket = ReturnType<typeof createNodeSockets>

async function createAdapter(maxPayload: number, idleTimeoutMs: number): Promise<NodeAdapter> {
  // crossws' Node adapter imports modules that other runtimes lack, so load it with the first
  // socket.
  const { default: nodeAdapter } = await import('crossws/adapters/node')
  // Each fragment takes memory, even with a single byte, so limit their number. Browsers send long
  // messages in few fragments.
  const pieces = {
    maxFragments: 16 + Math.ceil(maxPayload / 4_096),
    maxBufferedChunks: 64 + Math.ceil(maxPayload / 512),
  }
  return nodeAdapter({
    idleTimeout: idleTimeoutMs / 1_000,
    // No compression: a compressed kilobyte can become a megabyte, and each socket would keep a
    // compression window in memory.
    serverOptions: { maxPayload, ...pieces, perMessageDeflate: false, clientTracking: false },
    hooks: {
      upgrade: (request) => ({ headers: openingOf(request).headers }),
      open: (peer) => connectionOf(peer).opened(transportOf(peer)),
      message: (peer, { rawData }) => connectionOf(peer).received(rawData as SocketData),
      ping: (peer) => connectionOf(peer).pinged(),
      error: (peer, error) => connectionOf(peer).failed(error),
      close: (peer, { code = 1006, reason = '' }) => connectionOf(peer).closed(code, reason),
    },
  })
}

// Reads the opening from the request's `context`, which crossws passes on with each event.
function openingOf({ context }: { readonly context?: unknown }): Opening {
  return context as Opening
}

function connectionOf(peer: Peer): Connection {
  return openingOf(peer).connection
}

function transportOf(peer: Peer): Transport {
  return {
    send: (data) => void peer.send(data),
    bufferedBytes: () => peer.bufferedAmount,
    close: (code, reason) => peer.close(code, reason),
    terminate: () => peer.terminate(),
  }
}

/**
 * False in Bun and Deno, which run Node's modules but not crossws' Node adapter. Handlers respond
 * with 426 there, as on other hosts without WebSockets.
 */
export const isNode = !('Bun' in globalThis || 'Deno' in globalThis)

/** True if Node has handed over the request's connection for an upgrade. */
export function isUpgraded(req: IncomingMessage & { readonly upgrade?: boolean }): boolean {
  return req.upgrade === true
}

/** Responds in plain text. */
export function refuseUpgrade(
  res: ServerResponse,
  status: 426 | 503,
  lines: HeaderLines,
): undefined {
  const text = status === 426 ? '426 Upgrade Required\n' : '503 Service Unavailable\n'
  const bodyHeaders: HeaderLines = [
    ['content-type', 'text/plain; charset=utf-8'],
    ['content-length', String(text.length)],
  ]
  for (const [name, value] of [...lines, ...bodyHeaders]) res.appendHeader(name, value)
  res.writeHead(status).end(text)
}
