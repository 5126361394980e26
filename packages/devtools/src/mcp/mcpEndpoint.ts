import type { IncomingMessage } from 'node:http'
import { type HandlerResponse, internalPrefix, uncached } from 'waymark/internal/vite'
import { readJsonText, refuseOthers, uncachedJson } from '../localRequests.ts'
import { createMcpServer, type McpOptions } from './mcpServer.ts'

/** Where agents find the dev server. */
export const mcpPath = `${internalPrefix}mcp`

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

function refusal(req: IncomingMessage): HandlerResponse | null {
  const refused = refuseOthers(req)
  if (refused) return refused
  // No stream of ours: the server says nothing by itself.
  if (req.method !== 'POST') return uncached(405, null, null, [['allow', 'POST']])
  return null
}
