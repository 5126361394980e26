import type { PageRequest } from '../page/pageRequest.ts'
import type { ActionApp } from './actionApp.ts'
import type { ActionFunction } from './actionList.ts'
import { limitsOf } from './limits.ts'
import { findStanding, type StandingFile } from './standing.ts'

/** An action that the page it was posted to reaches. */
export type AdmittedAction = {
  readonly run: ActionFunction
  readonly limits: ReturnType<typeof limitsOf>
  /** The layouts, and the page, that it stands behind. */
  readonly standing: readonly StandingFile[]
}

/**
 * Looks an action up by its id: in the list of the build, then among those that the files of the
 * matched route reach.
 * @returns `null` for what may not be called here; at once where the action was loaded before
 */
export function admitAction(
  id: string,
  page: PageRequest,
  { actions, actionSettings }: ActionApp,
): AdmittedAction | null | Promise<AdmittedAction> {
  const listed = actions.find(id)
  const standing = listed && findStanding(page.match.root, listed.files)
  if (listed === null || standing === null) return null
  const admit = (run: ActionFunction) => ({ run, limits: limitsOf(run, actionSettings), standing })
  const run = actions.load(listed)
  return run instanceof Promise ? run.then(admit) : admit(run)
}
