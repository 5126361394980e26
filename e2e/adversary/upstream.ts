import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestHeader } from './appMap.ts'
import { isAllowedUpstream, roleHeader, type UpstreamPorts } from './generated/ruleSources.ts'
import type { AttackRequest } from './request.ts'

/** A request that an app has forwarded. */
export type Forwarded = {
  /** Index of the adversary's request that the app forwarded, or `null` if it isn't known. */
  readonly request: string | null
  readonly path: string
  readonly host: string
  readonly headers: readonly string[]
  /** The addresses in `x-forwarded-for` and `x-real-ip`. */
  readonly addresses: readonly string[]
  /**
   * Authority of the server that received the request. `isStrict` is true if that server requires a
   * path prefix.
   */
  readonly authority: string
  readonly isStrict: boolean
}

/** Servers to which the rules of generated apps forward. */
export type Upstream = {
  readonly ports: UpstreamPorts
  /** Returns the requests that have arrived since the last call. */
  take(): Forwarded[]
  stop(): void
}

/** Starts both upstream servers on a loopback address. */
export async function startUpstream(): Promise<Upstream> {
  const arrived: Forwarded[] = []
  const start = async (isStrict: boolean): Promise<Server> => {
    const server = createServer((request, response) => {
      arrived.push(readForwarded(request, isStrict))
      request.resume()
      response.end('upstream')
    })
    // Set no listeners for `expect` and upgrades: Node answers `expect` itself, and closes the
    // connection on an upgrade.
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server
  }
  const [whole, strict] = await Promise.all([start(false), start(true)])
  const servers = [whole, strict]
  return {
    ports: { whole: portOf(whole), strict: portOf(strict) },
    take: () => arrived.splice(0),
    stop: () => {
      for (const server of servers) server.closeAllConnections()
      for (const server of servers) server.close()
    },
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function readForwarded(request: IncomingMessage, isStrict: boolean): Forwarded {
  const { headers, socket } = request
  return {
    isStrict,
    path: request.url ?? '',
    host: headers.host ?? '',
    request: [headers[requestHeader]].flat()[0] ?? null,
    headers: Object.keys(headers),
    addresses: [headers['x-forwarded-for'], headers['x-real-ip']].map(String),
    authority: `127.0.0.1:${socket.localPort}`,
  }
}

// RFC 9110 §7.6.1. `connection` and the framing headers are left out, because the next connection
// has its own.
const hopNames =
  /^(?:te|trailer|upgrade|expect|proxy-authorization|proxy-connection|http2-settings)$/

/** Matches headers that the server writes. The server must not forward a client's values. */
const writtenOfProxies = /^x-forwarded-(?:for|host|proto)$/

/**
 * Returns the name of the first wrong part of a forwarded request: `path`, `host`, `address`, or the
 * name of a header. Returns `null` if nothing is wrong.
 */
export function wrongForward(request: AttackRequest, forwarded: Forwarded): string | null {
  const { path, host, authority, isStrict, headers, addresses } = forwarded
  if (isStrict && !isAllowedUpstream(path)) return 'path'
  if (host !== authority) return 'host'
  const named = request.headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/))
  const isHop = (name: string) =>
    hopNames.test(name) || (named.includes(name) && name !== 'keep-alive' && name !== roleHeader)
  const isClaimed = (name: string) =>
    name === 'forwarded' || (/^x-forwarded-/.test(name) && !writtenOfProxies.test(name))
  if (!addresses.every((address) => /^(?:::ffff:)?127\.0\.0\.1$/.test(address))) return 'address'
  if (/\/old\//.test(request.target) && !headers.includes(roleHeader)) return roleHeader
  return headers.find((name) => isHop(name) || isClaimed(name)) ?? null
}
