/**
 * A package's check of a build. The build calls it once its static pages are rendered, and before
 * an adapter writes the build for its host.
 */
export type CheckBuild = (build: CheckedBuild) => Promise<BuildCheck>

export type BuildCheck = {
  /** Problems of the app, one line each, such as `messages/de.json:3: the text is empty`. */
  readonly problems: readonly string[]
  /** True to end the build with an error. Otherwise, the build prints the problems at its end. */
  readonly failsBuild: boolean
}

export type CheckedBuild = {
  /** Absolute path of the app's root. */
  readonly root: string
  /** Path of the app below its host, such as `/docs`, or an empty string. */
  readonly basePath: string
  readonly routes: readonly CheckedRoute[]
  /** Returns the pattern of the route that a path matches; `null` if none does. */
  readonly patternOf: (routePathname: string) => string | null
}

export type CheckedRoute = {
  /** Such as `/blog/[slug]`. */
  readonly pattern: string
  readonly kind: 'page' | 'route'
  /** Absolute path of the page or of the route handler. */
  readonly file: string
  /** The prerendered pages of the route. */
  readonly pages: readonly CheckedPage[]
  /** The only paths to which the route responds; `null` if it may respond to others. */
  readonly onlyPathnames: readonly string[] | null
}

export type CheckedPage = {
  /** Path of the page's URL, without the base path. */
  readonly pathname: string
  readonly status: number
  /** Absolute path of the document; `null` for a page that has holes. */
  readonly document: string | null
}
