import type { Screens } from 'waymark/server'

export const texts: Screens['texts'] = {
  en: {
    packages: { flags: { failed: "We couldn't load the newest features. Reload to try again." } },
  },
  // The package has its own German text. The app uses it because `de` is listed here.
  de: { reload: 'Neu laden', home: 'Startseite' },
}
