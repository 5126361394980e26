import type { HeaderLines } from './answer.ts'
import type { PageCacheLife } from './keptPages.ts'

/** What the build and the built server say to each other about rendering ahead. */

/** A route, and what is known of it before it is rendered. */
export type PlannedRoute = {
  /** `/blog/[slug]` */
  readonly pattern: string
  readonly kind: 'page' | 'route'
  /** Relative to the app folder. */
  readonly file: string
  /** Canonical pathnames that are known ahead. */
  readonly pathnames: readonly string[]
  /** Why it is rendered for each request; `null` when it may be rendered ahead. */
  readonly dynamicReason: string | null
  /** Whether it asks to be static in part. */
  readonly isPartial: boolean
  /** Seconds after which it is to be rendered again; `null` for never. */
  readonly revalidateSeconds: number | null
  /** Whether pathnames beside those listed answer, too. */
  readonly answersOthers: boolean
}

/** An answer in full. */
export type PrerenderedResponse = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Uint8Array
}

/** A URL rendered ahead. */
export type PrerenderedUrl =
  | {
      readonly kind: 'answer'
      readonly document: PrerenderedResponse
      /** The page as data; `null` for a route handler. */
      readonly data: PrerenderedResponse | null
      readonly life: PageCacheLife
      /** Whether a navigation inside the app may show another page at this URL. */
      readonly isIntercepted: boolean
    }
  /** What stands outside of its holes is the same for everybody. */
  | {
      readonly kind: 'partial'
      /** A `PartialShell`, as a cache keeps it. */
      readonly shell: Uint8Array
      readonly life: PageCacheLife
    }
  /** It depends on its request: `reason` is what it used. */
  | { readonly kind: 'dynamic'; readonly reason: string }
  | { readonly kind: 'failed'; readonly thrown: unknown }

/** Renders an app's URLs ahead: what the build asks the built server for. */
export type Prerenderer = {
  /** Whether the app has a proxy.ts. Prerendering passes it by. */
  readonly isProxied: boolean
  /** @throws `PRERENDER_FAILED` when a `generateStaticParams` throws */
  plan(): Promise<readonly PlannedRoute[]>
  /** @param pathname one that `plan` has listed */
  render(pathname: string): Promise<PrerenderedUrl>
  /**
   * Renders what URLs show that no route answers.
   * @returns `null` where that is not the same for all of them
   */
  renderNotFound(): Promise<PrerenderedResponse | null>
}
