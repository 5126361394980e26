import type { InspectedCache, InspectedJournal, InspectedRoutes } from 'waymark/plugin/dev'
import type { InspectedContract } from '../contract.ts'

/** The app in the dev server, as agents' tools see it. */
export type InspectedApp = {
  readonly routes: InspectedRoutes
  /** Absolute path of the folder with the app's routes. */
  readonly appDir: string
  /**
   * Returns how a URL is rendered, and why. @param files absolute paths of the route's files, from
   * the root down
   */
  rendering(pathname: string, files: readonly string[]): Promise<Rendering>
  readonly journal: Pick<InspectedJournal, 'list' | 'find'>
  readonly cache: InspectedCache
  readonly contract: InspectedContract
  /** Returns the latest page loads in browsers, newest first. */
  arrivals(): readonly unknown[]
  /**
   * Loads a page in a new browser while a fault breaks the load.
   * @throws Error if a package or program is missing, or if the fault is unknown. For an unknown
   * fault, the message lists all faults.
   */
  drill(pathname: string, fault: string): Promise<readonly unknown[]>
  /** Sends the request that caused a recorded error to the build again. */
  replay(digest: string, options: ReplayWish): Promise<unknown>
  /**
   * Folders of the packages that contain the guide as Markdown. Some of these folders may not
   * exist.
   */
  readonly docs: readonly string[]
}

/**
 * Options of a replay. `test`: write a test. `runAction`: also replay requests that may change
 * something.
 */
export type ReplayWish = { readonly test: boolean; readonly runAction: boolean }

/** How a URL is rendered, and the line in the app that causes this. */
export type Rendering = {
  readonly kind: 'static' | 'partial' | 'dynamic' | 'failed'
  readonly reason: string | null
  readonly place: CodePlace | null
}

/** A line in the app's code. */
export type CodePlace = {
  /** Absolute path of the file. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly code: string
}
