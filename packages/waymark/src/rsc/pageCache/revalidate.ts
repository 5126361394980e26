import type { InvalidationMode } from '../../cache/cacheDriver.ts'
import { frameworkError } from '../../shared/errors.ts'
import { appCache } from '../request/appCache.ts'
import { type PathScope, tagOfPath } from '../request/pathTags.ts'
import { currentScope, findScope, type RequestPhase } from '../request/scope.ts'

/**
 * Marks all cached results and pages with one of the tags as stale. Stale results are still
 * returned while they are refreshed.
 * @returns a promise that resolves once all replicas have been notified or have turned out to be
 * unreachable
 * @throws `REVALIDATE_IN_RENDER`; `OUTSIDE_REQUEST` if no app is running, as in unit tests
 */
export function revalidateTag(...tags: string[]): Promise<void> {
  return invalidate('revalidateTag()', tags, 'stale')
}

/**
 * Expires all cached results and pages with one of the tags, so that users see their own changes at once.
 * @throws `REVALIDATE_IN_RENDER`; `OUTSIDE_REQUEST` if no app is running, as in unit tests
 */
export function updateTag(...tags: string[]): Promise<void> {
  return invalidate('updateTag()', tags, 'expired')
}

export async function invalidate(
  api: string,
  tags: readonly string[],
  mode: InvalidationMode,
): Promise<void> {
  const cache = appCache()
  // Scheduled jobs and other code outside of requests have no page to refresh.
  if (findScope() === null && cache) return cache.invalidate(tags, mode)
  const scope = currentScope(api)
  if (renders.has(scope.phase)) throw frameworkError('REVALIDATE_IN_RENDER', { api })
  scope.invalidatedTags ??= new Set()
  for (const tag of tags) scope.invalidatedTags.add(tag)
  await cache?.invalidate(tags, mode)
}

const renders: ReadonlySet<RequestPhase> = new Set(['render', 'prerender'])

/**
 * Expires the cached pages of a path, and the cached data that they read.
 * @param path a pathname (`/blog/first`), or a pattern (`/blog/[slug]`) for all its pages
 * @param type `layout` also expires all pages below the path
 * @throws `REVALIDATE_IN_RENDER`, `REVALIDATE_PATH`; `OUTSIDE_REQUEST` if no app is running, as in unit tests
 */
export async function revalidatePath(path: string, type: PathScope = 'page'): Promise<void> {
  await invalidate('revalidatePath()', [tagOfPath(path, type)], 'expired')
  if (import.meta.env?.DEV) {
    console.info(
      `revalidatePath(${JSON.stringify(path)}): in production, this renders cached pages again. In ` +
        'development, pages are not cached. In both, cached data that the pages read is computed ' +
        'again.',
    )
  }
}

/**
 * After an action that didn't change cached data, makes the browser fetch the current page again.
 * @throws `OUTSIDE_REQUEST`, `REFRESH_OUTSIDE_ACTION`
 */
export function refresh(): void {
  const scope = currentScope('refresh()')
  if (scope.phase !== 'action') throw frameworkError('REFRESH_OUTSIDE_ACTION', {})
  scope.invalidatedTags ??= new Set()
}
