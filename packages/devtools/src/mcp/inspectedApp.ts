import type { InspectedServer, scanRoutes } from 'waymark/internal/vite'

/** What the tools look at: the app in the dev server. */
export type InspectedApp = {
  /** @throws when the files of the app contradict each other */
  tree(): ReturnType<typeof scanRoutes>
  /** The folder of its routes, absolute. */
  readonly appDir: string
  /** How a URL is rendered, and why. @param files of its route, from the root down, absolute */
  rendering(pathname: string, files: readonly string[]): Promise<Rendering>
  readonly journal: InspectedServer['journal']
  /** An error with its mapped stack; `null` where the journal has none. */
  errorDetail(digest: string): Promise<unknown>
  /** Entries in memory. */
  cacheEntries(): Promise<readonly CacheFact[]>
  invalidate(tags: readonly string[], mode: 'expired'): Promise<void>
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

/** An entry of the cache, without its value. */
export type CacheFact = {
  readonly key: string
  readonly tags: readonly string[]
  readonly bytes: number
  readonly storedAtMs: number
  readonly revalidateAtMs: number | null
  readonly expireAtMs: number | null
}
