declare module 'virtual:waymark/patterns' {
  /** Of the pages of the app, the more specific first. */
  export const patterns: readonly string[]
}
