import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, ErrorReply, RESP_TYPES } from 'redis'

/** A server that offers a Redis server over HTTP, with the protocol that Upstash documents. */
export type HttpGateway = {
  readonly url: string
  /** Number of requests so far. */
  requests(): number
  /**
   * Replaces the responses to requests. The function may respond, destroy the connection, or call
   * `serve`.
   */
  intercept(respond: Interceptor | null): void
  stop(): Promise<void>
}

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
  /** Responds as the gateway does. */
  readonly serve: () => Promise<void>
  /** Runs the commands of the request, but sends no response. */
  readonly runOnly: () => Promise<unknown>
}

type Interceptor = (exchange: Exchange) => unknown

export const gatewayToken = 'token-of-the-gateway'

/** Starts a gateway for a Redis server. */
export async function startHttpGateway(redisUrl: string): Promise<HttpGateway> {
  const socket = { connectTimeout: 2_000, reconnectStrategy: 50 }
  const client = createClient({ url: redisUrl, socket, disableOfflineQueue: true, RESP: 2 })
  client.on('error', () => {
    // The gateway responds with a status of 502 while Redis is away.
  })
  await client.connect()
  const inBytes = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  let requests = 0
  let interceptor: Interceptor | null = null

  async function runCommand(command: unknown): Promise<object> {
    if (!isCommand(command)) return { error: 'ERR the command is not a list of strings' }
    try {
      return { result: encodeReply(await inBytes.sendCommand(command.map(String))) }
    } catch (error) {
      if (error instanceof ErrorReply) return { error: error.message }
      throw error
    }
  }

  async function runRequest({ url }: IncomingMessage, body: string): Promise<object> {
    const parsed: unknown = JSON.parse(body)
    if (url === '/') return runCommand(parsed)
    if (url !== '/pipeline') throw new Error(`The gateway has no ${url}.`)
    return Promise.all((parsed as unknown[]).map(runCommand))
  }

  async function serve(request: IncomingMessage, response: ServerResponse, body: string) {
    if (request.headers.authorization !== `Bearer ${gatewayToken}`) {
      return respond(response, 401, { error: 'WRONGPASS invalid or missing auth token' })
    }
    if (request.headers['upstash-encoding'] !== 'base64') {
      return respond(response, 500, { error: 'ERR this gateway always encodes' })
    }
    try {
      const reply = await runRequest(request, body)
      respond(response, 'error' in reply ? 400 : 200, reply)
    } catch {
      respond(response, 502, '<h1>Bad gateway</h1>')
    }
  }

  const server = createServer(async (request, response) => {
    requests++
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces).toString()
    const serveNow = () => serve(request, response, body)
    const runOnly = () => runRequest(request, body)
    if (interceptor) await interceptor({ request, response, body, serve: serveNow, runOnly })
    else await serveNow()
  })
  // Keep connections open for a moment only, so that clients often use a connection that is about to close.
  server.keepAliveTimeout = 50
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    intercept(respondInstead) {
      interceptor = respondInstead
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      if (client.isOpen) client.destroy()
    },
  }
}

/** Sends an object as JSON, or a string as an HTML page. */
export function respond(response: ServerResponse, status: number, content: object | string): void {
  const isPage = typeof content === 'string'
  response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' })
  response.end(isPage ? content : JSON.stringify(content))
}

function isCommand(value: unknown): value is readonly (string | number)[] {
  return (
    Array.isArray(value) && value.every((arg) => typeof arg === 'string' || typeof arg === 'number')
  )
}

/** Encodes all strings with base64, except OK. */
function encodeReply(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(encodeReply)
  if (Buffer.isBuffer(reply)) return reply.toString('base64')
  if (typeof reply !== 'string' || reply === 'OK') return reply
  return Buffer.from(reply).toString('base64')
}
