import type { PageRequest } from '../page/pageRequest.ts'
import type { ActionApp } from './actionApp.ts'
import type { ActionFunction, ListedAction } from './actionList.ts'
import { limitsOf } from './limits.ts'
import { type GuardFile, guardsOf } from './standing.ts'

/** An action that the page it was posted to reaches. */
export type ResolvedAction = {
  readonly run: ActionFunction
  readonly limits: ReturnType<typeof limitsOf>
  /** The layouts, and the page, that it stands behind. */
  readonly standing: readonly GuardFile[]
}

/**
 * Tells whether proxy.ts lets the client pass to what an intercepting page is shown over. proxy.ts
 * has seen the URL of the intercepting page only, and the client says what is behind it.
 */
export type IsBackgroundOpen = () => boolean | Promise<boolean>

/**
 * Looks an action up by its id: in the list of the build, then among those that the files of the
 * matched route reach. One that only the background of an interception reaches is admitted where
 * that is open.
 * @returns `null` for what may not be called here; at once where the action was loaded before
 */
export function resolveAction(
  id: string,
  page: PageRequest,
  app: ActionApp,
  isBackgroundOpen: IsBackgroundOpen,
): ResolvedAction | null | Promise<ResolvedAction | null> {
  const listed = app.actions.find(id)
  if (listed === null) return null
  const { root } = page.match
  const standing = guardsOf(root, listed.files, 'shown')
  if (standing) return loadAction(listed, standing, app)
  const behind = guardsOf(root, listed.files, 'background')
  return behind && admitBehind(listed, behind, app, isBackgroundOpen)
}

async function admitBehind(
  listed: ListedAction,
  standing: ResolvedAction['standing'],
  app: ActionApp,
  isBackgroundOpen: IsBackgroundOpen,
): Promise<ResolvedAction | null> {
  return (await isBackgroundOpen()) ? loadAction(listed, standing, app) : null
}

function loadAction(
  listed: ListedAction,
  standing: ResolvedAction['standing'],
  { actions, actionSettings }: ActionApp,
): ResolvedAction | Promise<ResolvedAction> {
  const admit = (run: ActionFunction) => ({ run, limits: limitsOf(run, actionSettings), standing })
  const run = actions.load(listed)
  return run instanceof Promise ? run.then(admit) : admit(run)
}
