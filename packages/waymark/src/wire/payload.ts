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

/**
 * A page's data, in segments. A navigation only receives segments that the browser doesn't have
 * yet.
 */
export type Payload = {
  readonly tree: PayloadSegment
  readonly route: RouteState
  /**
   * Route for which the document's HTML was rendered, if the browser's URL differs. Only set in the
   * browser.
   */
  readonly rendered?: RouteState
  readonly theme?: string
  /**
   * Id of the build that rendered the payload. Page data also has it in a header, but a cache may
   * return a different response's header.
   */
  readonly build?: string
  readonly stylesheets?: readonly Stylesheet[]
  readonly head: ReactNode
  /** Rendered nodes, keyed by segment. Layouts contain a `<Slot>` for their children. */
  readonly segments: Readonly<Record<string, ReactNode>>
  /** The app's screen for errors that no boundary catches. Only set in documents. */
  readonly globalError?: {
    readonly screen: ComponentType<ErrorScreenProps>
    readonly styles: ReactNode
  }
  /** Result of a form that was submitted without JavaScript, for React's `hydrateRoot`. */
  readonly formState?: ReactFormState
  /** Id of the rendering. Set in apps that use `@waymark/live`. */
  readonly rendering?: string
  /** True for an intercepting page that is shown over the previous page. */
  readonly isOver?: boolean
  /** True if the payload ends at a loading screen, so that some segments have no nodes. */
  readonly isShell?: boolean
  /** Guards: layouts of mounted segments, which run again without sending output. */
  readonly guards?: Readonly<Record<string, ReactNode>>
}

/** A stylesheet. `integrity` is set if browsers check its hash. */
export type Stylesheet = readonly [href: string, integrity?: string]

/** The part of the route that hooks read. */
export type RouteState = {
  readonly pathname: string
  readonly search: string
  readonly params: Readonly<Record<string, string | readonly string[]>>
}

/** A segment of the tree. React keeps it mounted as long as its key stays the same. */
export type PayloadSegment = {
  readonly key: string
  /** Segments, keyed by slot name. `children` is the main slot. */
  readonly slots?: Readonly<Record<string, PayloadSegment>>
}

/** One step of a path: a property, an index, or a React key. */
export type HoleStep = string | number | { readonly key: string }

/** Path to a hole in a payload, which each request fills. */
export type HolePath = readonly HoleStep[]

/** The part of a page that all visitors share, with the paths to its holes. */
export type PartialShell = {
  readonly html: string
  /** Placeholder in `html` for a request's nonce. */
  readonly nonce: string
  /**
   * The payload as Flight, without its holes' rows. References to the missing rows are dangling.
   */
  readonly payload: Uint8Array
  readonly holes: readonly HolePath[]
  /** React's postponed state after rendering `html`, as JSON. */
  readonly postponed: string
}
