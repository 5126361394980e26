import type { Screens } from 'waymark/server'

export const texts: Screens['texts'] = {
  en: { packages: { flags: { failed: 'We could not load what is new. Reload to try again.' } } },
  // The package has a German text of its own, which the app uses because `de` is listed here.
  de: { reload: 'Neu laden', home: 'Startseite' },
}
