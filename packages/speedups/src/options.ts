/** Which speedups a build applies. Each is on unless it is `false`. */
export type SpeedupsOptions = {
  /**
   * Writes each row of page data into one buffer while React resolves it. React builds a copy of the
   * row and calls `JSON.stringify`.
   */
  readonly rows?: boolean
  /** Creates the `AbortController` of a rendering, and its error, only if code reads the signal. */
  readonly lifetime?: boolean
  /** Renders HTML with React's build for Bun, which writes text. React's build for Node encodes each piece. */
  readonly html?: boolean
  /** Loads React's encoder for the arguments of actions with the first call of an action. */
  readonly encoder?: boolean
}
