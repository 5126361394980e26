import type { SentRequest } from '../../http/response.ts'
import { tagsOfPage } from '../request/pathTags.ts'
import { findScope, type RequestScope } from '../request/scope.ts'
import type { ClientNeeds } from './clientNeeds.ts'
import type { LoadedRouteFile } from './routeModules.ts'

/** A page that is being rendered. */
export type FollowedPage = {
  readonly pathname: string
  /** What each file of its route exports; empty where a static page only gets what depends on a request. */
  readonly modules: readonly Readonly<Record<string, unknown>>[]
  /** Adds tags to those of the page. */
  addTags(tags: readonly string[]): void
  /** Tags of all that the page has read up to now. */
  tags(): ReadonlySet<string>
  /** True once the page has read a cached result that was stale. */
  isStale(): boolean
  /** Tags of the page's path, which `revalidatePath` invalidates. */
  pathTags(): readonly string[]
  /**
   * The request of a page that depends on its request, for `hashSender`.
   * @returns `null` for a page that is the same for everybody, as far as it has rendered
   */
  sender(): SentRequest | null
}

/** Follows what one rendering of a page reads. Called when the rendering begins. */
export type FollowPage = (page: FollowedPage) => {
  /** Id of the rendering, which browsers get with the page. */
  readonly rendering: string
  /** Called at the end. @returns the end of the page's payload, a row that nothing refers to; or `''` */
  readonly lastRow: () => string
}

/** @param files layouts and page of the route */
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

/** Writes the end of a payload. A page that is kept current needs React to show its changes. */
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
 * Adds cache tags to the result of the cached function that runs, or else to the page that renders.
 * `revalidateTag` of such a tag then invalidates that result or page.
 * @returns false where nothing collects tags: outside of a request, and for a page that is neither
 * cached nor followed by a package
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
