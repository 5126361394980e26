import type { IncomingMessage } from 'node:http'
import type { HandlerResponse } from 'waymark/plugin'
import { refuseOtherClients } from 'waymark/plugin/dev'
import { readJsonText, refuseMethod, uncachedJson } from '../localRequests.ts'
import { createMcpServer, type McpOptions } from './mcpServer.ts'

/** Where agents find the dev server. */
export const mcpPath = '/_waymark/mcp'

/**
 * Creates the endpoint of the dev server for agents, by streamable HTTP. It is for programs of this
 * machine: a page of another site must not reach it, also not by a name that it points here.
 * @see CVE-2025-49596, DNS rebinding
 */
export function createMcpEndpoint(options: McpOptions) {
  const respond = createMcpServer(options)
  return async (req: IncomingMessage): Promise<HandlerResponse> => {
    const refused = refuseOtherClients(req, 'program')
    if (refused) return refused
    // No stream of ours: the server says nothing by itself.
    if (req.method !== 'POST') return refuseMethod('POST')
    const body = await readJsonText(req)
    if (typeof body !== 'string') return body
    const response = await respond(body)
    return response
      ? uncachedJson(response)
      : { status: 202, headers: [['cache-control', 'no-store']], body: null }
  }
}
