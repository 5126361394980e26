import type { InvalidationMode } from '../../cache/cacheDriver.ts'
import { frameworkError } from '../../shared/errors.ts'
import { type PathScope, tagOfPath } from '../request/pathTags.ts'
import { currentScope, type RequestPhase } from '../request/scope.ts'

/**
 * Marks everything with a tag as stale: served while it is refreshed.
 * @returns resolves once all replicas were told, or can't be
 * @throws `OUTSIDE_REQUEST`, `REVALIDATE_IN_RENDER`
 */
export function revalidateTag(...tags: string[]): Promise<void> {
  return invalidate('revalidateTag()', tags, 'stale')
}

/** Expires everything with a tag, for a user who must see their own change at once. */
export function updateTag(...tags: string[]): Promise<void> {
  return invalidate('updateTag()', tags, 'expired')
}

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
 * Expires the cached pages of a path and the cached data that they read.
 * @param path a pathname (`/blog/first`), or a pattern (`/blog/[slug]`) for all its pages
 * @param type `layout` includes all pages below the path
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
 * Makes the browser fetch the current page after an action that changed no cached data.
 * @throws `OUTSIDE_REQUEST`, `REFRESH_OUTSIDE_ACTION`
 */
export function refresh(): void {
  const scope = currentScope('refresh()')
  if (scope.phase !== 'action') throw frameworkError('REFRESH_OUTSIDE_ACTION', {})
  scope.invalidatedTags ??= new Set()
}
