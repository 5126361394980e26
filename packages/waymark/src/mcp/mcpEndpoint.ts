import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { timedOut, withDeadline } from '../shared/promises.ts'
import { internalPrefix } from '../shared/protocol.ts'
import type { HandlerResponse } from '../shared/response.ts'
import { createMcpServer, type McpOptions } from './mcpServer.ts'

/** Where agents find the dev server. */
export const mcpPath = `${internalPrefix}mcp`

const maxBodyBytes = 256 * 1024
const bodyWithinMs = 10_000

/**
 * Creates the endpoint of the dev server for agents, by streamable HTTP. It is for programs of this
 * machine: a page of another site must not reach it, also not by a name that it points here.
 * @see CVE-2025-49596, DNS rebinding
 */
export function createMcpEndpoint(options: McpOptions) {
  const respond = createMcpServer(options)
  return async (req: IncomingMessage): Promise<HandlerResponse> => {
    const refused = refusal(req)
    if (refused) return refused
    const body = await readJsonText(req)
    if (typeof body !== 'string') return body
    const response = await respond(body)
    return response ? uncachedJson(response) : uncached(202)
  }
}

/** Reads a body that is said to be JSON. @returns the refusal of one that is not */
export async function readJsonText(req: IncomingMessage): Promise<string | HandlerResponse> {
  // A form of another site can't send it without asking.
  if (!/^application\/json\s*(?:;|$)/i.test(req.headers['content-type'] ?? ''))
    return plainText(415, 'Send application/json.')
  const body = await withDeadline(readBody(req), bodyWithinMs)
  if (body === timedOut) return plainText(408, 'The body took too long.')
  return body ?? plainText(413, `The body has more than ${maxBodyBytes} bytes.`)
}

/** Refuses what is of no program or page of this machine. @returns `null` for who may ask */
export function refuseOthers(req: IncomingMessage): HandlerResponse | null {
  const { host, origin, 'sec-fetch-site': site } = req.headers
  if (!isFromThisMachine(req) || !isLoopbackName(hostnameOf(`http://${host}`))) {
    return plainText(403, 'Agents reach the dev server from its own machine, at localhost.')
  }
  const isForeignPage = origin !== undefined && origin !== `http://${host}`
  if (isForeignPage || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
    return plainText(403, 'This is for programs, and for no page of another site.')
  }
  return null
}

/** Tells whether a request comes from a program or browser of the machine that serves it. */
export function isFromThisMachine(req: IncomingMessage): boolean {
  return isLoopback(req.socket.remoteAddress)
}

function refusal(req: IncomingMessage): HandlerResponse | null {
  const refused = refuseOthers(req)
  if (refused) return refused
  // No stream of ours: the server says nothing by itself.
  if (req.method !== 'POST') return uncached(405, null, null, [['allow', 'POST']])
  return null
}

function hostnameOf(url: string): string | null {
  try {
    return new URL(url).hostname
  } catch {
    return null
  }
}

function isLoopbackName(hostname: string | null): boolean {
  if (hostname === null) return false
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
}

function isLoopback(address: string | undefined): boolean {
  const plainAddress = address?.replace(/^::ffff:/, '') ?? ''
  if (plainAddress === '::1') return true
  return isIP(plainAddress) === 4 && plainAddress.startsWith('127.')
}

/** @returns `null` when there is more than may be */
async function readBody(req: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of req as AsyncIterable<Buffer>) {
    bytes += piece.length
    // Read on: a request that is cut gets no response.
    if (bytes <= maxBodyBytes) pieces.push(piece)
  }
  return bytes > maxBodyBytes ? null : Buffer.concat(pieces).toString('utf8')
}

/** A response to a program, as JSON. */
export function uncachedJson(value: unknown, lines: HandlerResponse['headers'] = []) {
  return uncached(200, 'application/json', JSON.stringify(value), lines)
}

/** A response to a program that says one thing. */
export function plainText(status: number, text: string): HandlerResponse {
  return uncached(status, 'text/plain; charset=utf-8', `${text}\n`)
}

/** What others of the network get in place of what the dev server knows of the app. */
export const refusedToOthers = plainText(
  403,
  'The dev server shows this to browsers of its own machine only.',
)

/** A response of the dev server that nothing stores. */
export function uncached(
  status: number,
  type: string | null = null,
  body: string | null = null,
  lines: HandlerResponse['headers'] = [],
): HandlerResponse {
  const headers: HandlerResponse['headers'] = [
    ...(type ? [['content-type', type] as [string, string]] : []),
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ...lines,
  ]
  return { status, headers, body }
}
