import type { InspectedCache, InspectedJournal, InspectedRoutes } from 'waymark/plugin/dev'

/** The app in the dev server, as the tools see it. */
export type InspectedApp = {
  readonly routes: InspectedRoutes
  /** Absolute path of the folder of routes. */
  readonly appDir: string
  /**
   * Returns how a URL is rendered, and why. @param files absolute paths of the route's files, from
   * the root down
   */
  rendering(pathname: string, files: readonly string[]): Promise<Rendering>
  readonly journal: Pick<InspectedJournal, 'list' | 'find'>
  readonly cache: InspectedCache
  /** Returns the latest page loads in browsers, newest first. */
  arrivals(): readonly unknown[]
  /**
   * Breaks a load of a page in a new browser.
   * @throws Error that says what is missing, or lists the faults
   */
  drill(pathname: string, fault: string): Promise<readonly unknown[]>
  /** Sends the request of a recorded error to the build again. */
  replay(digest: string, options: ReplayWish): Promise<unknown>
  /** Folders of the packages that contain the guide as Markdown. Some may not exist. */
  readonly docs: readonly string[]
}

/**
 * Options of a replay. `test`: write a test. `runAction`: also replay requests that may have
 * effects.
 */
export type ReplayWish = { readonly test: boolean; readonly runAction: boolean }

/** How a URL is rendered, and the line of the app that decides it. */
export type Rendering = {
  readonly kind: 'static' | 'partial' | 'dynamic' | 'failed'
  readonly reason: string | null
  readonly place: CodePlace | null
}

/** A line of the app. */
export type CodePlace = {
  /** Absolute path. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly code: string
}
