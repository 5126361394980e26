import type { ComponentType, ReactNode } from 'react'
import type { ReactFormState } from 'react-dom/client'

/** Props of an `error` file's component. */
export type ErrorScreenProps = {
  readonly error: Error & { digest?: string }
  /** Renders the children again. */
  readonly reset: () => void
  /** Fetches the page again, then renders it. */
  readonly retry: () => void
}

/** One page as data, in segments: a navigation sends those that the browser lacks. */
export type Payload = {
  readonly tree: PayloadSegment
  readonly route: RouteState
  /** Route of the document's HTML when it differs from the browser's; set in the browser only. */
  readonly rendered?: RouteState
  readonly theme?: string
  /** Id of the build that rendered it. Page data has it in a header, too, which a cache can mix up. */
  readonly build?: string
  readonly stylesheets?: readonly Stylesheet[]
  readonly head: ReactNode
  /** Rendered nodes by segment key; layouts hold `<Slot>`s for their children. */
  readonly segments: Readonly<Record<string, ReactNode>>
  /** The app's screen for errors that no boundary catches; in documents only. */
  readonly globalError?: {
    readonly screen: ComponentType<ErrorScreenProps>
    readonly styles: ReactNode
  }
  /** Result of a form submitted without a script, for React's `hydrateRoot`. */
  readonly formState?: ReactFormState
  /** Id of the rendering, in apps with `@waymark/live`. */
  readonly rendering?: string
  /** True for an intercepted page that shows over the previous one. */
  readonly isOver?: boolean
  /** True when the payload ends at a loading screen: some segments have no nodes. */
  readonly isShell?: boolean
  /** Mounted segments that ran again without output. */
  readonly guards?: Readonly<Record<string, ReactNode>>
}

/** `integrity` is set when browsers check the hash. */
export type Stylesheet = readonly [href: string, integrity?: string]

/** Route state for hooks. */
export type RouteState = {
  readonly pathname: string
  readonly search: string
  readonly params: Readonly<Record<string, string | readonly string[]>>
}

/** A segment with an equal key stays mounted. */
export type PayloadSegment = {
  readonly key: string
  /** Segments by slot name; `children` is the main slot. */
  readonly slots?: Readonly<Record<string, PayloadSegment>>
}

/** A step by property, index or React key. */
export type HoleStep = string | number | { readonly key: string }

/** Path to a hole in a payload, which each request renders. */
export type HolePath = readonly HoleStep[]

/** The part of a page that all visitors share, with the paths of its holes. */
export type PartialShell = {
  readonly html: string
  /** Placeholder in `html` for a request's nonce. */
  readonly nonce: string
  /** The payload as Flight without the holes: references to their rows are dangling. */
  readonly payload: Uint8Array
  readonly holes: readonly HolePath[]
  /** JSON of React's postponed state after `html`. */
  readonly postponed: string
}
