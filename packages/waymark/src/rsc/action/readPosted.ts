import type { ServerRequest } from '../../shared/answer.ts'
import { actionHeader } from '../../shared/protocol.ts'
import type { PageTarget } from '../request/read.ts'

/** What a POST to a page asks for: a call by the app's script, or a form that was sent by itself. */
export type ActionRequest =
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'form' }

/**
 * Reads what a request for a page posts.
 * @returns `null` for every other method, and for page data, which is only read
 */
export function readActionRequest(
  { method, headers }: ServerRequest,
  { kind }: PageTarget,
): ActionRequest | null {
  if (method !== 'POST' || kind !== 'document') return null
  const id = headers.get(actionHeader)
  return id === null ? { kind: 'form' } : { kind: 'call', id }
}
