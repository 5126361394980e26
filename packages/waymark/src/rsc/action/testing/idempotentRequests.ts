import type { HandlerResponse } from '../../../http/response.ts'
import type { Sender } from '../credentials.ts'
import type { IdempotentRequest } from '../idempotency.ts'

const sizes = { maxBytes: 10_000, maxMarkBytes: 26_000, maxResponseBytes: 500, maxUnread: 10 }
export const bounds = { ttlMs: 1_000, markTtlMs: 600_000, ...sizes }

export type From = {
  readonly cookie?: string
  readonly authorization?: string
  readonly network?: string
  readonly signal?: AbortSignal
  readonly setCookies?: readonly string[]
}

export function testSender({
  cookie,
  authorization,
  network,
  signal,
  setCookies,
}: From = {}): Sender {
  return {
    headers: new Headers({ ...(cookie && { cookie }), ...(authorization && { authorization }) }),
    pathname: '/shop',
    network: network ?? null,
    signal: () => signal ?? new AbortController().signal,
    setCookies: () => setCookies ?? [],
  }
}

export const request: IdempotentRequest = {
  key: 'k'.repeat(16),
  actionId: 'a#b',
  bodyHash: 'one',
  isQueued: false,
  timeoutMs: 500,
  sender: testSender(),
}
export function from(sent: From, key = request.key): IdempotentRequest {
  return { ...request, key, sender: testSender(sent) }
}
export const other: IdempotentRequest = { ...request, bodyHash: 'other' }
export function whole(text: string): HandlerResponse {
  return { status: 200, headers: [['x', 'y']], body: text }
}
