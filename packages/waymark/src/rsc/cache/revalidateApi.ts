import type { InvalidationMode } from '../../cache/driver.ts'
import { frameworkError } from '../../shared/errors.ts'
import { currentScope, type RequestPhase } from '../request/scope.ts'

/**
 * Makes all that carries a tag out of date: it is refreshed while it is served. For changes that
 * may be seen a moment later.
 * @returns resolves once all replicas were told, or can't be
 * @throws `OUTSIDE_REQUEST`, `REVALIDATE_IN_RENDER`
 */
export function revalidateTag(...tags: string[]): Promise<void> {
  return invalidate('revalidateTag()', tags, 'stale')
}

/**
 * Ends all that carries a tag: nobody gets it again. For someone who must see at once what they
 * have changed.
 * @returns resolves once all replicas were told, or can't be
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
  await scope.cache?.invalidate(tags, mode)
}

const renders: ReadonlySet<RequestPhase> = new Set(['render', 'prerender'])
