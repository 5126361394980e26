import type { InspectedCache, InspectedJournal, InspectedRoutes } from 'waymark/plugin/dev'

/** What the tools look at: the app in the dev server. */
export type InspectedApp = {
  readonly routes: InspectedRoutes
  /** The folder of its routes, absolute. */
  readonly appDir: string
  /** How a URL is rendered, and why. @param files of its route, from the root down, absolute */
  rendering(pathname: string, files: readonly string[]): Promise<Rendering>
  readonly journal: Pick<InspectedJournal, 'list' | 'find'>
  readonly cache: InspectedCache
  /** The latest loads of pages in browsers, the newest first. */
  arrivals(): readonly unknown[]
  /**
   * Breaks a load of a page in a browser of its own.
   * @throws an `Error` that says what is missing, or which faults there are
   */
  drill(pathname: string, fault: string): Promise<readonly unknown[]>
  /** Sends the request of an error to the build again. */
  replay(digest: string, options: ReplayWish): Promise<unknown>
  /** The guide as Markdown: folders of the packages, of which some may be missing. */
  readonly docs: readonly string[]
}

/** `test`: write one; `runAction`: also where it may have effects. */
export type ReplayWish = { readonly test: boolean; readonly runAction: boolean }

/** How a URL is rendered, and where the app made it so. */
export type Rendering = {
  readonly kind: 'static' | 'partial' | 'dynamic' | 'failed'
  readonly reason: string | null
  readonly place: CodePlace | null
}

/** A line of the app. */
export type CodePlace = {
  /** Absolute. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly code: string
}
