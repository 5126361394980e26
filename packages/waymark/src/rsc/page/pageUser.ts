import type { HandlerResponse } from '../../http/response.ts'
import { userHeader } from '../../wire/protocol.ts'
import type { Exchange } from '../request/exchange.ts'
import type { PageApp } from './pageRequest.ts'
import { otherUserResponse } from './pageResponse.ts'

/**
 * Refuses page data to a page that was rendered for a different user. An open page with one user's
 * layouts and text must never get the data of somebody who has signed in since. Static pages aren't
 * checked.
 * @returns `null`, or a promise for `null`, if the data may be sent
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
