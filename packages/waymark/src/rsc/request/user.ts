import { frameworkError } from '../../shared/errors.ts'
import { dynamicValue } from './dynamicValue.ts'
import { currentScope } from './scope.ts'
import type { SealedUser } from './userSeals.ts'

/**
 * Finds the user of the request, by `user` of server.ts, and names that user in the page: actions that
 * are called on the page are refused once somebody else has signed in. The page becomes dynamic. The
 * sealed user restricts actions. It proves nothing about its sender.
 * @param api the component or function that an app calls, for errors: `<OfflineUser>`
 * @throws `OUTSIDE_REQUEST`; `SERVER_USER` where server.ts has no function `user`
 */
export async function sealUser(api: string): Promise<SealedUser> {
  const scope = currentScope(api)
  const { users } = scope.context
  if (users === null) {
    throw frameworkError('SERVER_USER', { reason: 'server.ts has no function user' })
  }
  await dynamicValue(scope, api, () => undefined)
  const user = await users.seal()
  scope.sealedUser = user.sealed
  return user
}
