/** A message from a client. @see JSON-RPC 2.0 §4 */
export type RpcMessage =
  | {
      readonly kind: 'request'
      readonly id: RpcId
      readonly method: string
      readonly params: Params
    }
  /** The message gets no response, because it is a notification or a response. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'invalid'; readonly response: RpcResponse }

type RpcId = string | number
type Params = Readonly<Record<string, unknown>>

/** Response to a client. */
export type RpcResponse = { readonly jsonrpc: '2.0'; readonly id: RpcId | null } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
)

/** Parses a body. Refuses batches, because MCP no longer has them since version 2025-06-18. */
export function parseMessage(text: string): RpcMessage {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { kind: 'invalid', response: rpcError(null, -32_700, 'The body is not valid JSON.') }
  }
  if (!isRecord(parsed) || parsed.jsonrpc !== '2.0')
    return invalid('The body must be a JSON-RPC 2.0 message.')
  const { id, method, params = {} } = parsed
  if (typeof method !== 'string') {
    return 'result' in parsed || 'error' in parsed
      ? { kind: 'silent' }
      : invalid('The message has no method.')
  }
  if (id === undefined) return { kind: 'silent' }
  if (typeof id !== 'string' && typeof id !== 'number')
    return invalid('The id must be a string or a number.')
  if (!isRecord(params)) return invalid('The params must be an object.')
  return { kind: 'request', id, method, params }
}

function invalid(message: string): RpcMessage {
  return { kind: 'invalid', response: rpcError(null, -32_600, message) }
}

export function rpcError(id: RpcId | null, code: number, message: string): RpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

export function rpcResult(id: RpcId, result: unknown): RpcResponse {
  return { jsonrpc: '2.0', id, result }
}

/** True if a value is an object, but not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
