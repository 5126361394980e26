import type { SentRequest } from '../../http/response.ts'
import { tagsOfPage } from '../request/pathTags.ts'
import { findScope, type RequestScope } from '../request/scope.ts'
import type { ClientNeeds } from './clientNeeds.ts'
import type { LoadedRouteFile } from './routeModules.ts'

/** A page that is being rendered, as packages see it. */
export type FollowedPage = {
  readonly pathname: string
  /**
   * Exports of each file in the page's route. Empty if only the holes of a partially static page
   * are rendered.
   */
  readonly modules: readonly Readonly<Record<string, unknown>>[]
  /** Adds tags to the page. */
  addTags(tags: readonly string[]): void
  /** Returns the tags of everything that the page has read so far. */
  tags(): ReadonlySet<string>
  /** True once the page has read a stale cached result. */
  isStale(): boolean
  /** Returns the tags for the page's path, which `revalidatePath` invalidates. */
  pathTags(): readonly string[]
  /**
   * Returns the request, as input for `hashSender`; `null` if nothing that was rendered so far
   * depends on the request.
   */
  sender(): SentRequest | null
}

/** Observes the data that a page reads during one rendering. Called when the rendering begins. */
export type FollowPage = (page: FollowedPage) => {
  /** Id of the rendering, which browsers receive with the page. */
  readonly rendering: string
  /**
   * Called when the page has been rendered.
   * @returns the payload's last row, which no other row refers to, or `''`
   */
  readonly lastRow: () => string
}

/** Creates the object with which a package observes a page. @param files layouts and page of the route */
export function createFollowedPage(
  scope: RequestScope,
  files: Iterable<Pick<LoadedRouteFile, 'module'>> = [],
): FollowedPage {
  const { url, context } = scope
  const { life } = context
  return {
    pathname: url.pathname,
    modules: Array.from(files, ({ module }) => module),
    addTags: (tags) => life?.add({ tags, revalidateSeconds: null, expireSeconds: null }),
    tags: () => life?.tags ?? noTags,
    isStale: () => life?.isStale === true,
    pathTags: () => tagsOfPage(scope.url.pathname, scope.match?.pattern ?? scope.url.pathname),
    sender() {
      if (scope.usage.reason === null) return null
      const { target } = scope.request
      return { headers: context.sentHeaders, target, setCookies: scope.cookies.lines() }
    },
  }
}

const noTags: ReadonlySet<string> = new Set()

/**
 * Returns the last row of a payload. A page that is kept up to date needs React to show changes, so
 * this is recorded in `clientNeeds`.
 */
export function lastRowOf(
  { lastRow }: Pick<ReturnType<FollowPage>, 'lastRow'>,
  clientNeeds: ClientNeeds,
): () => string {
  return () => {
    const row = lastRow()
    if (row !== '') clientNeeds.requireReact()
    return row
  }
}

/**
 * Adds cache tags to the running cached function's result, or else to the page. Calling
 * `revalidateTag` with one of these tags then invalidates the result or the page.
 * @returns false if tags have no effect: outside of a request, and on a page that is neither cached
 * nor followed by a package
 */
export function addCacheTags(tags: readonly string[]): boolean {
  const scope = findScope()
  if (scope === null) return false
  if (scope.phase === 'cache') {
    for (const tag of tags) scope.tags.add(tag)
    return true
  }
  scope.context.life?.add({ tags, revalidateSeconds: null, expireSeconds: null })
  return scope.context.life !== null
}
