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
  /** Absolute path of the folder with the app's routes. */
  readonly appDir: string
  /** Path of the app below its host, such as `/docs`, or an empty string. */
  readonly basePath: string
  readonly routes: readonly CheckedRoute[]
  /** Returns the pattern of the route that a path matches; `null` if none does. */
  readonly patternOf: (routePathname: string) => string | null
  /** Pages that a navigation inside the app shows instead of the route with the same pattern. */
  readonly interceptions: readonly CheckedInterception[]
  /** Absolute path of proxy.ts; `null` if the app has none. */
  readonly proxy: string | null
  readonly actions: readonly CheckedAction[]
  readonly clientModules: readonly CheckedClientModule[]
  /**
   * Returns the modules that a module imports, on the server or in browsers.
   * @param file absolute path
   * @returns absolute paths; modules of npm packages are left out
   */
  readonly importsOf: (file: string) => readonly string[]
}

export type CheckedRoute = {
  /** Such as `/blog/[slug]`. */
  readonly pattern: string
  readonly kind: 'page' | 'route'
  /** Absolute path of the page or of the route handler. */
  readonly file: string
  /** The layouts around the page, from the root down. */
  readonly layouts: readonly CheckedLayout[]
  /** The app's screens around the page, from the root down. Empty for a route handler. */
  readonly screens: readonly CheckedScreen[]
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

export type CheckedLayout = {
  /** Pattern of the layout's folder, such as `/blog`. Route groups aren't part of it. */
  readonly pattern: string
  /** Absolute path. */
  readonly file: string
}

/** A file whose content replaces a page that loads, fails or isn't found. */
export type CheckedScreen = {
  readonly role: 'loading' | 'error' | 'not-found' | 'forbidden' | 'unauthorized'
  /** Pattern of the file's folder. */
  readonly pattern: string
  /** Absolute path. */
  readonly file: string
}

export type CheckedInterception = Pick<CheckedRoute, 'pattern' | 'file' | 'layouts'> & {
  /** Pattern below which a navigation must start. */
  readonly from: string
}

/** A server action that at least one page can call. */
export type CheckedAction = {
  /** Id in requests. Changes with the action's file. */
  readonly id: string
  /** Name of the exported function. */
  readonly name: string
  /** Absolute path of the module. */
  readonly file: string
  /** Absolute paths of the pages, layouts and other route files that lead to the action. */
  readonly routeFiles: readonly string[]
}

/** A module with `'use client'`. */
export type CheckedClientModule = {
  /** Id in page data. Changes with the module's file. */
  readonly id: string
  /** Absolute path. */
  readonly file: string
}
