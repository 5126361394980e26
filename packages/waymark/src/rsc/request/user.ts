import { frameworkError } from '../../shared/errors.ts'
import { dynamicValue } from './dynamicValue.ts'
import { currentScope } from './scope.ts'
import type { SealedUser } from './userSeals.ts'

/**
 * Finds the request's user with `user` from server.ts, and adds the user's encrypted id to the
 * page. If a different user has signed in by the time the page calls an action, the action is
 * refused. Makes the page dynamic. The encrypted id proves nothing about who sends it; it can only
 * restrict actions.
 * @param api the component or function that the app calls, for errors: `<OfflineUser>`
 * @throws `OUTSIDE_REQUEST`; `SERVER_USER` if server.ts has no function `user`
 */
export async function sealUser(api: string): Promise<SealedUser> {
  const scope = currentScope(api)
  const { users } = scope.context
  if (users === null) {
    throw frameworkError('SERVER_USER', { reason: 'server.ts has no function user()' })
  }
  await dynamicValue(scope, api, () => undefined)
  const user = await users.seal()
  scope.sealedUser = user.sealed
  return user
}
