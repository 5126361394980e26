import { actionHeader } from '../../shared/protocol.ts'
import type { HandlerResponse, ServerRequest } from '../../shared/response.ts'
import type { PageRequest } from '../page/pageRequest.ts'
import type { PageTarget } from '../request/readRequest.ts'
import type { ActionApp } from './actionList.ts'
import type { IsBackgroundOpen } from './authorize.ts'
import { handleCall } from './handleCall.ts'
import { handleForm } from './handleForm.ts'
import { callRefusal, formRefusal } from './responses.ts'

/**
 * Handles a POST to a page: origin ▸ allow-list ▸ body ▸ guards ▸ decoding ▸ idempotency ▸ the
 * action ▸ its response. Each step refuses before the next one costs anything.
 */
export async function handleAction(
  posted: ActionRequest,
  page: PageRequest,
  app: ActionApp,
  isBackgroundOpen: IsBackgroundOpen,
): Promise<HandlerResponse> {
  const isForeign = isCrossOrigin(page.request, app.actionSettings.allowedOrigins)
  switch (posted.kind) {
    case 'call':
      if (isForeign) return callRefusal('foreign-origin', app)
      return handleCall(posted.id, page, app, isBackgroundOpen)
    case 'form':
      if (isForeign) return formRefusal('foreign-origin', page, app)
      return handleForm(page, app)
  }
}

/** What a POST to a page asks for: a call by the app's script, or a form that was sent by itself. */
export type ActionRequest =
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'form' }

/** @returns `null` for every other method, and for page data, which is only read */
export function readActionRequest(
  { method, headers }: ServerRequest,
  { kind }: PageTarget,
): ActionRequest | null {
  if (method !== 'POST' || kind !== 'document') return null
  const id = headers.get(actionHeader)
  return id === null ? { kind: 'form' } : { kind: 'call', id }
}

/**
 * Tells whether a request that changes something may come from another site: one that a browser
 * sends with the credentials it holds, from a page that is not of this origin. Checked before a
 * byte of the body is read.
 * @param allowed further origins, `https://example.com`
 * @see Fetch Metadata §2.4, RFC 6454 §7
 */
export function isCrossOrigin(request: ServerRequest, allowed: readonly string[]): boolean {
  const { headers } = request
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (origin !== null && allowed.includes(origin)) return false
  // No script can set it, and no browser sends `none` with a form or a fetch of a page.
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  // What ends TLS before this server need not have said so: the browser vouches for the scheme.
  if (origin !== null) {
    return site === 'same-origin'
      ? hostOf(origin) !== hostOf(request.origin)
      : origin !== request.origin
  }
  return site !== 'same-origin' && hasAmbientCredentials(request)
}

/** Credentials that a browser sends by itself, whoever asked it to send the request. */
function hasAmbientCredentials({ headers }: ServerRequest): boolean {
  const authorization = headers.get('authorization')
  return headers.has('cookie') || (authorization !== null && !/^bearer /i.test(authorization))
}

function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3).toLowerCase()
}
