import type { IncomingMessage } from 'node:http'
import type { HandlerResponse } from 'waymark/plugin'
import { refuseOtherClients } from 'waymark/plugin/dev'
import { readJsonText, refuseMethod, uncachedJson } from '../localRequests.ts'
import { createMcpServer, type McpOptions } from './mcpServer.ts'

/** Path of the dev server's endpoint for agents. */
export const mcpPath = '/_waymark/mcp'

/**
 * Creates the dev server's endpoint for agents, with streamable HTTP. Only programs on this machine
 * may use the endpoint. It refuses requests from pages on other sites, even if such a page uses a
 * host name that points to this machine.
 * @see CVE-2025-49596, DNS rebinding
 */
export function createMcpEndpoint(options: McpOptions) {
  const respond = createMcpServer(options)
  return async (req: IncomingMessage): Promise<HandlerResponse> => {
    const refused = refuseOtherClients(req, 'program')
    if (refused) return refused
    // A GET would open a stream, but this server only sends responses.
    if (req.method !== 'POST') return refuseMethod('POST')
    const body = await readJsonText(req)
    if (typeof body !== 'string') return body
    const response = await respond(body)
    return response
      ? uncachedJson(response)
      : { status: 202, headers: [['cache-control', 'no-store']], body: null }
  }
}
