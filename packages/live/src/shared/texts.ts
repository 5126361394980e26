/** English texts of the package. An app replaces and translates them in its `screens.ts`. */
export const english = {
  /** Shown, with the core's buttons, when no live updates have arrived for a while. */
  behind: 'Live updates are interrupted. This page may be out of date.',
}

export const texts = { en: english }
