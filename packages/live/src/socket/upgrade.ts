import type { ServerResponse } from 'node:http'
import type { HeaderLines, Upgrade } from 'waymark/plugin'
import { clientNetwork, currentRequest } from 'waymark/plugin/server'
import { createConnectionLimit } from '../shared/connectionLimit.ts'
import { createNodeSockets, isNode, isUpgraded, refuseUpgrade } from './nodeSockets.ts'
import { createSocketConnection, type SocketData, type SocketHooks } from './socketConnection.ts'
import { readLimits, type SocketLimits } from './socketLimits.ts'
import { createTopics } from './topics.ts'

/** Options of `upgrade()`: the hooks of the socket, its subprotocol and its limits. */
export type UpgradeOptions = SocketHooks & {
  /** Subprotocol, chosen if the client offers it. */
  readonly protocol?: string
  readonly limits?: Partial<SocketLimits>
}

const topics = createTopics<SocketData>()
const limit = createConnectionLimit()
const openSocket = createNodeSockets()

/** Sends a message to all sockets in this process that have subscribed to a topic. */
export function publish(topic: string, data: SocketData): void {
  topics.publish(topic, data)
}

/**
 * Turns the request to a route handler's `GET` into a WebSocket. A request that doesn't ask for one
 * gets a 426.
 * @returns a response that `GET` must return; a copy of it opens no socket
 * @throws outside of a route handler, and for an invalid limit
 * @example export const GET = () => upgrade({ open: (socket) => socket.subscribe('chat'), message:
 * (socket, data) => socket.publish('chat', data), })
 */
export function upgrade(options: UpgradeOptions): Response {
  const { protocol, limits: limitOptions, ...hooks } = options
  const current = currentRequest()
  if (current?.phase !== 'route-handler') {
    throw new Error(
      "upgrade() was called outside of a route handler. Call it in a route handler's GET function.",
    )
  }
  const { request, reportError: report } = current
  const limits = readLimits(limitOptions)
  const most = { inAll: limits.maxSockets, perClient: limits.maxSocketsPerClient }
  const connection = createSocketConnection({ hooks, limits, topics, report })
  const client = clientNetwork(request)
  const offered = request.headers.get('sec-websocket-protocol')?.split(/\s*,\s*/) ?? []
  const chosen: HeaderLines =
    protocol !== undefined && offered.includes(protocol)
      ? [['sec-websocket-protocol', protocol]]
      : []

  function take(raw: unknown, lines: HeaderLines): Promise<void> | undefined {
    // Only the Node adapter calls this function, so cast.
    const res = raw as ServerResponse
    const { req, socket } = res
    if (!isNode || !isUpgraded(req) || !socket) {
      return refuseUpgrade(res, 426, [
        ...lines,
        ['upgrade', 'websocket'],
        ['connection', 'upgrade'],
      ])
    }
    if (socket.destroyed) return undefined
    const leave = limit.take(client, most)
    if (!leave) return refuseUpgrade(res, 503, [...lines, ['retry-after', '5']])
    res.detachSocket(socket)
    res.statusCode = 101
    const cookies = lines.filter(([name]) => name.toLowerCase() === 'set-cookie')
    const opening = { connection, limits, headers: [...cookies, ...chosen] }
    return new Promise((resolve) => {
      socket.once('close', () => {
        leave()
        // Observers of the request treat it as ended after `close`, so emit `close` when the socket
        // ends.
        res.emit('close')
        resolve()
      })
      openSocket(req, socket, opening).catch((error: unknown) => {
        report(error)
        socket.destroy()
      })
    })
  }

  const upgrade: Upgrade = { take, end: connection.end }
  const headers = { 'cache-control': 'no-store' }
  return Object.assign(new Response(null, { status: 426, headers }), { upgrade })
}
