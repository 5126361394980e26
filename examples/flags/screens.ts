import type { Screens } from 'waymark/server'

export const texts: Screens['texts'] = {
  en: {
    packages: { flags: { failed: "We couldn't load the newest features. Reload to try again." } },
  },
  // List `de` here, so that the app uses the package's own German text.
  de: { reload: 'Neu laden', home: 'Startseite' },
}
