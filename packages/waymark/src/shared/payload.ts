import type { ReactNode } from 'react'

/**
 * One page as data: what its segments render to, and how they are put together. The parts are
 * separate, so that a navigation can send only those the browser does not hold yet.
 */
export type Payload = {
  /** Segment key to its rendered node; layouts hold `<Slot>`s where their children go. */
  readonly segments: Readonly<Record<string, ReactNode>>
  /** Segments that the browser holds already, run again without their output. */
  readonly guards?: Readonly<Record<string, ReactNode>>
  /** A promise only while a decider of the route is still running. */
  readonly outcome: PayloadOutcome | Promise<PayloadOutcome>
}

/** What the deciders of a route (layouts, page, metadata) came to. */
export type PayloadOutcome = {
  /** The page's own segments, or those above a fallback with the fallback in place. */
  readonly tree: PayloadSegment
  /** Nodes of fallback segments that `tree` names beside those of `Payload.segments`. */
  readonly fallbacks?: Readonly<Record<string, ReactNode>>
  /** Title, metadata and links of the page. */
  readonly head: ReactNode
  readonly route: RouteState
  /** The theme that the shown files insist on; absent where it is the person's choice. */
  readonly theme?: string
}

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
