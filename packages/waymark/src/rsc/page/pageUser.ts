import type { HandlerResponse } from '../../http/response.ts'
import { userHeader } from '../../wire/protocol.ts'
import type { Exchange } from '../request/exchange.ts'
import type { PageApp } from './pageRequest.ts'
import { otherUserResponse } from './pageResponse.ts'

/**
 * Refuses page data to the page of another user: an open page, with the layouts and the text of its
 * user, never gets data of the user who has signed in since. Static pages are not checked.
 * @returns `null`, or a promise of it, for the same user and for a page that names none
 */
export function refuseOtherUser(
  { destination, request, scope }: Exchange,
  { users, buildId }: Pick<PageApp, 'users' | 'buildId'>,
): Promise<HandlerResponse | null> | null {
  const sealed = destination.kind === 'data' ? request.headers.get(userHeader) : null
  if (!users || sealed === null || scope.phase !== 'render') return null
  return users
    .refusalOf(sealed, false)
    .then((code) => (code === null ? null : otherUserResponse(buildId, code)))
}
