import type { Matcher } from './match.ts'

/**
 * Maps the paths of URLs to the paths that routes match, and back. A package has this part if
 * URLs of pages differ from their folders, such as `/de/ueber-uns` for `app/[locale]/about`.
 *
 * `toRoute` and `toUrl` may depend only on their argument, because prerendered pages are the same
 * for all visitors. All paths are canonical: they begin with a slash, are percent-encoded, and don't
 * contain the base path or a slash at the end.
 */
export type RouteUrls = {
  /** Returns the path that routes match for a URL's path, also if no route matches it. */
  toRoute(pathname: string): string
  /** Returns the path of the only URL of a page. Other URLs of the page are redirected there. */
  toUrl(routePathname: string): string
  /** Returns the language of the built-in screens at a URL's path, or `null` if any will do. */
  languageOf?(pathname: string): string | null
  /**
   * Chooses a URL for one visitor, if the path stands for several pages. The redirect isn't stored
   * by any cache.
   * @returns `null` if the path has the same meaning for everybody
   */
  choose?(pathname: string, headers: { get(name: string): string | null }): string | null
}

/** Creates a matcher that matches the paths of URLs. */
export function matchUrls(matcher: Matcher, { toRoute }: RouteUrls): Matcher {
  return {
    matchNotFound: (pathname) => matcher.matchNotFound(toRoute(pathname)),
    match: (pathname, { from } = {}) =>
      matcher.match(toRoute(pathname), { from: from === undefined ? from : toRoute(from) }),
  }
}
