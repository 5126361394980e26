import { frameworkError } from '../../shared/errors.ts'
import { dynamicValue } from './dynamicValue.ts'
import { currentScope } from './scope.ts'
import type { SealedUser } from './userSeals.ts'

/**
 * Finds the user of the request with `user` of server.ts, and names that user in the page. If somebody
 * else has signed in since, actions on the page are refused. The page becomes dynamic. The encrypted
 * user only restricts actions and proves nothing about who sends them.
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
