import type { InvalidationMode } from '../../cache/cacheDriver.ts'
import { frameworkError } from '../../shared/errors.ts'
import { type PathScope, tagOfPath } from '../pageCache/pathTags.ts'
import { currentScope, type RequestPhase } from '../request/scope.ts'

/**
 * Makes everything with a tag out of date: it is refreshed while it is served. For changes that
 * may be seen a moment later.
 * @returns resolves once all replicas were notified, or can't be
 * @throws `OUTSIDE_REQUEST`, `REVALIDATE_IN_RENDER`
 */
export function revalidateTag(...tags: string[]): Promise<void> {
  return invalidate('revalidateTag()', tags, 'stale')
}

/**
 * Ends everything with a tag: nobody gets it again. For someone who must see at once what they
 * have changed.
 * @returns resolves once all replicas were notified, or can't be
 * @throws `OUTSIDE_REQUEST`, `REVALIDATE_IN_RENDER`
 */
export function updateTag(...tags: string[]): Promise<void> {
  return invalidate('updateTag()', tags, 'expired')
}

/**
 * Invalidates tags for a function of the app's.
 * @param api as its user writes it
 */
export async function invalidate(
  api: string,
  tags: readonly string[],
  mode: InvalidationMode,
): Promise<void> {
  const scope = currentScope(api)
  if (renders.has(scope.phase)) throw frameworkError('REVALIDATE_IN_RENDER', { api })
  scope.invalidatedTags ??= new Set()
  for (const tag of tags) scope.invalidatedTags.add(tag)
  await scope.context.cache?.invalidate(tags, mode)
}

const renders: ReadonlySet<RequestPhase> = new Set(['render', 'prerender'])

/**
 * Ends the cached pages of a path, and what they read of the cache: the next request waits until
 * the page is rendered again, from what is computed again. Pages at other paths stay as they are;
 * rendered again, they get what was computed since.
 * @param path a pathname (`/blog/first`), or the pattern of a route (`/blog/[slug]`): all its pages
 * @param type `layout` for all pages at the path and below
 * @returns resolves once all replicas were notified, or can't be
 * @throws `OUTSIDE_REQUEST`, `REVALIDATE_IN_RENDER`, `REVALIDATE_PATH`
 */
export async function revalidatePath(path: string, type: PathScope = 'page'): Promise<void> {
  await invalidate('revalidatePath()', [tagOfPath(path, type)], 'expired')
  if (import.meta.env?.DEV) {
    console.info(
      `revalidatePath(${JSON.stringify(path)}): cached pages are rendered again, in production. ` +
        'In development no page is cached: each is rendered when it is requested. What it read ' +
        'of the cache is computed again in both.',
    )
  }
}

/**
 * Has the browser fetch the page on the screen again after an action, although nothing that is
 * cached has changed.
 * @throws `OUTSIDE_REQUEST`, `REFRESH_OUTSIDE_ACTION`
 */
export function refresh(): void {
  const scope = currentScope('refresh()')
  if (scope.phase !== 'action') throw frameworkError('REFRESH_OUTSIDE_ACTION', {})
  scope.invalidatedTags ??= new Set()
}
