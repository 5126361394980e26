import { timedOut, withDeadline } from '../deadline.ts'
import type { InspectedApp } from './inspectedApp.ts'
import { isRecord, parseMessage, type RpcResponse, rpcError, rpcResult } from './jsonRpc.ts'
import { runTool, ToolError, tools } from './tools.ts'

const versions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const

export type McpOptions = {
  readonly app: InspectedApp
  /** Version of the package. */
  readonly version: string
  /** Milliseconds after which a tool call fails. Default: 15,000. */
  readonly deadlineMs?: number
}

/**
 * Creates a function that handles messages from MCP clients. The server has no sessions, so
 * messages are independent of each other.
 * @returns a function that receives a request's body and returns the response, or `null` if the
 * message gets no response
 * @see https://modelcontextprotocol.io/specification/2025-11-25
 */
export function createMcpServer({ app, version, deadlineMs = 15_000 }: McpOptions) {
  async function call(params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { name, arguments: input = {} } = params
    if (!isRecord(input)) return toolText('The arguments must be an object.', true)
    const withinMs = tools.find((tool) => tool.name === name)?.deadlineMs ?? deadlineMs
    try {
      const result = await withDeadline(runTool(String(name), app, input), withinMs)
      if (result === timedOut) return toolText(`${name} took longer than ${withinMs} ms.`, true)
      return toolText(typeof result === 'string' ? result : JSON.stringify(result, null, 2))
    } catch (thrown) {
      if (thrown instanceof ToolError) return toolText(thrown.message, true)
      // The client belongs to the developer, so it may see the error's message.
      return toolText(`${name} failed: ${String(thrown)}`, true)
    }
  }

  return async function respond(body: string): Promise<RpcResponse | null> {
    const message = parseMessage(body)
    if (message.kind === 'silent') return null
    if (message.kind === 'invalid') return message.response
    const { id, method, params } = message
    switch (method) {
      case 'initialize':
        return rpcResult(id, introduction(params.protocolVersion, version))
      case 'ping':
        return rpcResult(id, {})
      case 'tools/list':
        return rpcResult(id, {
          tools: tools.map(({ run: _, deadlineMs: __, ...described }) => described),
        })
      case 'tools/call':
        return rpcResult(id, await call(params))
      default:
        return rpcError(id, -32_601, `There is no method ${JSON.stringify(method)}.`)
    }
  }
}

function introduction(wanted: unknown, version: string): object {
  return {
    protocolVersion: versions.find((supported) => supported === wanted) ?? versions[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'waymark', version },
    instructions:
      'These tools inspect a Waymark app that is running in development. Read the guide with `docs` before you use a Waymark API. Look up a digest with `errors`.',
  }
}

function toolText(text: string, isError = false): object {
  return { content: [{ type: 'text', text }], isError }
}
