/** A message of a client. @see JSON-RPC 2.0 §4 */
export type RpcMessage =
  | {
      readonly kind: 'request'
      readonly id: RpcId
      readonly method: string
      readonly params: Params
    }
  /** It gets no response: a notification, or a response to a request that we never send. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'invalid'; readonly response: RpcResponse }

type RpcId = string | number
type Params = Readonly<Record<string, unknown>>

/** What a client gets back. */
export type RpcResponse = { readonly jsonrpc: '2.0'; readonly id: RpcId | null } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
)

/** Parses a body; batches are refused, as the protocol has none since 2025-06-18. */
export function parseMessage(text: string): RpcMessage {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { kind: 'invalid', response: rpcError(null, -32_700, 'The body is no JSON.') }
  }
  if (!isRecord(parsed) || parsed.jsonrpc !== '2.0')
    return invalid('It is no JSON-RPC 2.0 message.')
  const { id, method, params = {} } = parsed
  if (typeof method !== 'string') {
    return 'result' in parsed || 'error' in parsed
      ? { kind: 'silent' }
      : invalid('It has no method.')
  }
  if (id === undefined) return { kind: 'silent' }
  if (typeof id !== 'string' && typeof id !== 'number')
    return invalid('Its id is no text or number.')
  if (!isRecord(params)) return invalid('Its params are no object.')
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

/** Tells whether a value is an object with members, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
