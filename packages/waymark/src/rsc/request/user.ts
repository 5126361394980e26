import { frameworkError } from '../../shared/errors.ts'
import { dynamicValue } from './dynamicValue.ts'
import { currentScope } from './scope.ts'
import type { SealedUser } from './userSeals.ts'

/**
 * The user of the request, for the page to name. Makes the page dynamic.
 * @throws `OUTSIDE_REQUEST`, `SERVER_USER` where server.ts does not say who sends a request
 */
export async function sealUser(): Promise<SealedUser> {
  const scope = currentScope('<OfflineUser>')
  const { users } = scope.context
  if (users === null) {
    throw frameworkError('SERVER_USER', { reason: 'server.ts has no function user' })
  }
  await dynamicValue(scope, '<OfflineUser>', () => undefined)
  const user = await users.seal()
  scope.sealedUser = user.sealed
  return user
}
