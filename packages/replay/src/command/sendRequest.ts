import { encodeArguments } from '@waymark/testing/build'
import type { StoredRequest } from '../server/storedRequest.ts'

/** Cookies and headers that a session adds to a replayed request. */
export type ReplaySession = {
  readonly cookies?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export type SentRequest = {
  readonly origin: string
  readonly session: ReplaySession
  readonly requestId: string
  readonly withinMs: number
}

/**
 * Sends a stored request to one origin only. Redirects are not followed, because cookies would be sent to
 * their target.
 */
export async function sendRequest(
  request: StoredRequest,
  { origin, session, requestId, withinMs }: SentRequest,
): Promise<Response> {
  const url = new URL(request.target, origin)
  if (url.origin !== new URL(origin).origin)
    throw new Error(`${url} is not below ${origin}, so the request was not sent.`)
  const { action, method } = request
  const cookie = Object.entries(session.cookies ?? {}).map(([name, value]) => `${name}=${value}`)
  return fetch(url, {
    method: action ? 'POST' : method,
    redirect: 'manual',
    signal: AbortSignal.timeout(withinMs),
    headers: {
      ...request.headers,
      ...(cookie.length > 0 && { cookie: cookie.join('; ') }),
      // Send the headers of a request from the app's own page, because the server refuses other origins.
      ...(method !== 'GET' && method !== 'HEAD' && { origin, 'sec-fetch-site': 'same-origin' }),
      ...(action && { 'waymark-action': action.id }),
      ...session.headers,
      'x-request-id': requestId,
    },
    body: action?.arguments ? encodeArguments(action.arguments) : null,
  })
}
