import { frameworkError } from '../../shared/errors.ts'
import { dynamicValue } from './dynamicValue.ts'
import { currentScope } from './scope.ts'
import type { SealedUser } from './userSeals.ts'

/**
 * Finds the request's user with `user` from server.ts, and adds the user's encrypted id to the page. If somebody else
 * has signed in when the page calls an action, the action is refused. The page becomes dynamic. The encrypted id only
 * restricts actions, and proves nothing about who sends them.
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
