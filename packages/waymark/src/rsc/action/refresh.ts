import { frameworkError } from '../../shared/errors.ts'
import { currentScope, markShownChanged } from '../request/scope.ts'

/**
 * Has the answer to the action that runs bring its page, rendered anew. Setting a cookie does so by
 * itself.
 * @throws `OUTSIDE_ACTION`, `OUTSIDE_REQUEST`
 */
export function refresh(): void {
  const scope = currentScope('refresh()')
  if (scope.phase !== 'action') throw frameworkError('OUTSIDE_ACTION', { api: 'refresh()' })
  markShownChanged(scope)
}
