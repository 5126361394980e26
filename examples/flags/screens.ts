import type { Screens } from 'waymark/server'

export const texts: Screens['texts'] = {
  en: { packages: { flags: { failed: 'We could not load what is new. Reload to try again.' } } },
  // The package has this text in German.
  de: { reload: 'Neu laden', home: 'Startseite' },
}
