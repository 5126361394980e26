import { frameworkError } from '../../shared/errors.ts'
import { invalidate } from '../cache/revalidateApi.ts'
import { currentScope } from '../request/scope.ts'
import { type PathScope, tagOfPath } from './pathTags.ts'

/**
 * Ends the kept pages of a path: whoever asks next waits for the page that is rendered anew. What
 * the page reads of the cache is ended by its tags, not by this.
 * @param path a pathname (`/blog/first`), or the pattern of a route (`/blog/[slug]`): all its pages
 * @param type `layout` for all pages at the path and below
 * @returns resolves once all replicas were told, or can't be
 * @throws `OUTSIDE_REQUEST`, `REVALIDATE_IN_RENDER`, `REVALIDATE_PATH`
 */
export async function revalidatePath(path: string, type: PathScope = 'page'): Promise<void> {
  await invalidate('revalidatePath()', [tagOfPath(path, type)], 'expired')
  if (import.meta.env?.DEV) {
    console.info(
      `revalidatePath(${JSON.stringify(path)}): kept pages are rendered anew, in production. ` +
        'In development nothing is kept: each page is rendered when it is asked for.',
    )
  }
}

/**
 * Has the browser fetch the page on the screen again after an action, although nothing that is
 * kept has changed.
 * @throws `OUTSIDE_REQUEST`, `REFRESH_OUTSIDE_ACTION`
 */
export function refresh(): void {
  const scope = currentScope('refresh()')
  if (scope.phase !== 'action') throw frameworkError('REFRESH_OUTSIDE_ACTION', {})
  scope.invalidatedTags ??= new Set()
}
