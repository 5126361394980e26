export const english = {
  /** Shown if the flags could not be loaded. */
  failed: 'Some features could not be loaded.',
}

const german: typeof english = {
  failed: 'Einige Funktionen konnten nicht geladen werden.',
}

export const texts = { en: english, de: german }
