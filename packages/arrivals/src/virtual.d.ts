declare module 'virtual:waymark/patterns' {
  /** Patterns of the app's pages, the most specific ones first. */
  export const patterns: readonly string[]
}
