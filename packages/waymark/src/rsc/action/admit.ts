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
 * @returns `null` for what may not be called here
 */
export async function admitAction(
  id: string,
  page: PageRequest,
  { actions, actionSettings }: ActionApp,
): Promise<AdmittedAction | null> {
  const listed = actions.find(id)
  if (listed === null) return null
  const standing = findStanding(page.match.root, listed.files)
  if (standing === null) return null
  const run = await actions.load(listed)
  return { run, limits: limitsOf(run, actionSettings), standing }
}
