import type { RequestHeaders } from '../../shared/answer.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import { clientNetwork } from '../request/clientNetwork.ts'

/** Who sent a submission, and how it is heard that they have left. */
export type Sender = {
  /** As the client sent them, whatever proxy.ts made of them. */
  readonly headers: Pick<RequestHeaders, 'get'>
  /** Where it was sent to: what cookies come along depends on it. */
  readonly pathname: string
  /** By which its share of what is remembered is counted; `null` where it is not known. */
  readonly network: string | null
  /** Aborts when they leave. Reading it is what costs. */
  readonly signal: () => AbortSignal
  /** The lines of the cookies that were set for this request so far. */
  readonly setCookies: () => readonly string[]
}

/** The sender of a request for an action. */
export function senderOf({ request, scope }: PageRequest): Sender {
  return {
    headers: scope.sentHeaders,
    pathname: request.target.split('?', 1)[0] ?? '/',
    network: clientNetwork(request),
    signal: () => request.signal,
    setCookies: scope.setCookies,
  }
}
