/** English texts of the package. An app replaces and translates them in its `screens.ts`. */
export const english = {
  /** Live updates have not arrived for a while. The buttons beside it are the core's. */
  behind: 'No live updates at the moment. This page may not be current.',
}

export const texts = { en: english }
