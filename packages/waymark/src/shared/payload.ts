import type { ComponentType, ReactNode } from 'react'
import type { ReactFormState } from 'react-dom/client'

/** What an `error` file's component gets. */
export type ErrorScreenProps = {
  readonly error: Error & { digest?: string }
  /** Shows the children again as they were. */
  readonly reset: () => void
  /** Fetches the page again, then shows it. */
  readonly retry: () => void
}

/**
 * One page as data: what its segments render to, and how they are put together. The parts are
 * separate, so that a navigation can send only those the browser does not hold yet.
 */
export type Payload = {
  readonly tree: PayloadSegment
  readonly route: RouteState
  /** That of the document's HTML, where the browser's is another; in the browser only. */
  readonly rendered?: RouteState
  /** The theme that the page insists on. */
  readonly theme?: string
  /** Id of the build that rendered it; with documents only: page data has it in a header. */
  readonly build?: string
  /** The stylesheets of its files. */
  readonly stylesheets?: readonly Stylesheet[]
  /** Title, metadata and links of the page. */
  readonly head: ReactNode
  /** Segment key to its rendered node; layouts hold `<Slot>`s where their children go. */
  readonly segments: Readonly<Record<string, ReactNode>>
  /** The app's screen for what no boundary catches, if it has one; with documents only. */
  readonly globalError?: {
    readonly screen: ComponentType<ErrorScreenProps>
    readonly styles: ReactNode
  }
  /** What a form without a script got in response, as React's `hydrateRoot` takes it. */
  readonly formState?: ReactFormState
  /** It is shown over the page that it was navigated to from. */
  readonly isOver?: boolean
  /** It ends at a loading screen: of the tree, some segments are named only. */
  readonly isShell?: boolean
  /** Segments that the browser holds already, run again without their output. */
  readonly guards?: Readonly<Record<string, ReactNode>>
}

/** A stylesheet's URL, and its hash where browsers are to check it. */
export type Stylesheet = readonly [href: string, integrity?: string]

/** The route that a payload shows, as hooks read it. */
export type RouteState = {
  /** Canonical, still encoded. */
  readonly pathname: string
  /** With its question mark, or empty. */
  readonly search: string
  readonly params: Readonly<Record<string, string | readonly string[]>>
}

/** A mounted segment: equal keys mean that what is mounted may stay. */
export type PayloadSegment = {
  readonly key: string
  /** Slot name to the segment in it; `children` is the main one. */
  readonly slots?: Readonly<Record<string, PayloadSegment>>
}

/** One step from a node of a payload to one inside of it: by property, index or React key. */
export type HoleStep = string | number | { readonly key: string }

/** Where in a payload a hole is: what stands there is rendered for each request. */
export type HolePath = readonly HoleStep[]

/** The part of a page that is the same for everybody, and where the rest of it belongs. */
export type PartialShell = {
  /** The document up to where the first hole is filled. */
  readonly html: string
  /** Stands in `html` wherever the nonce of a request belongs. */
  readonly nonce: string
  /** The payload as Flight, without what the holes hold: rows that refer to them lead nowhere. */
  readonly payload: Uint8Array
  readonly holes: readonly HolePath[]
  /** React's account, as JSON, of where its rendering of `html` stopped. */
  readonly postponed: string
}
