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
