/** English texts of the package. An app replaces and translates them in its `screens.ts`. */
export const english = {
  /** Shown when live updates have not arrived for a while, beside buttons of the core. */
  behind: 'No live updates at the moment. This page may not be current.',
}

export const texts = { en: english }
