/** Speedups that a build applies. Each speedup is on unless it is `false`. */
export type SpeedupsOptions = {
  /**
   * Writes each row of page data into a buffer while React resolves the row. Without this speedup, React
   * builds a copy of each row and calls `JSON.stringify`.
   */
  readonly rows?: boolean
  /** Creates a rendering's `AbortController` and its error only if code reads the signal. */
  readonly lifetime?: boolean
  /**
   * Renders HTML with React's build for Bun, which writes strings. React's build for Node encodes each
   * piece.
   */
  readonly html?: boolean
  /** Loads React's encoder for action arguments on the first call to an action, not with each page. */
  readonly encoder?: boolean
}
