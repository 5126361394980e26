import {
  type ActionResponse,
  type RefusalCode,
  refusalStatuses,
} from '../../shared/actionResponse.ts'
import { privateNoStore } from '../../shared/cacheControl.ts'
import { payloadType } from '../../shared/protocol.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import { statusResponse } from '../errors/screenResponse.ts'
import { endsSoon, flightBody, renderFlight } from '../page/flight.ts'
import type { PageApp, PageRequest } from '../page/pageRequest.ts'
import { type RequestScope, responseHeaders } from '../request/scope.ts'

/** How a request for an action was sent: by the app's own script, or by a form itself. */
export type PostKind = 'call' | 'form'

/** Refuses a request for an action: nothing of it has run, or not to its end. */
export function refuse(
  code: RefusalCode,
  kind: PostKind,
  { request }: PageRequest,
  { theme, screens }: PageApp,
): HandlerResponse | Promise<HandlerResponse> {
  const status = refusalStatuses[code]
  return kind === 'form'
    ? statusResponse(status, { request, theme: theme.config, screens })
    : callResponse({ kind: 'refused', code }, status)
}

/** An answer to a call that brings no page. */
export async function callResponse(
  answer: ActionResponse,
  status: number,
  onError: (thrown: unknown) => string = () => '',
): Promise<HandlerResponse> {
  const flight = renderFlight(answer, onError)
  // What waits for nothing is written in the next microtask.
  await undefined
  if (!flight.channel.ended) await endsSoon(flight.channel)
  return { status, headers: [...callHeaders], body: flightBody(flight) }
}

/** Of every answer to a call: it is for its caller alone. */
export const callHeaders: HandlerResponse['headers'] = [
  ['content-type', payloadType],
  ...privateNoStore,
]

/** Puts the cookies that were set into an answer: who gets it again, gets them again. */
export async function withCookies(
  answer: () => Promise<HandlerResponse>,
  scope: RequestScope,
): Promise<HandlerResponse> {
  const given = await answer()
  return { ...given, headers: [...given.headers, ...responseHeaders(scope)] }
}
