import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { linkTo } from '../_ui/language.ts'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import styles from './parts.module.css'

type Part = { readonly href: string; readonly name: string; readonly says: string }

const english: readonly Part[] = [
  {
    href: '/guide/loading-and-streaming',
    name: 'Streaming',
    says: 'Show what is ready, and send slow parts later in the same response.',
  },
  {
    href: '/guide/routing',
    name: 'Routing',
    says: 'Groups, dynamic segments, parallel slots and intercepted routes, from plain files.',
  },
  {
    href: '/guide/route-handlers',
    name: 'Route handlers',
    says: 'A standard Request in, a standard Response out. HEAD, OPTIONS and 405 work automatically.',
  },
  {
    href: '/guide/request',
    name: 'The request',
    says: 'Call headers(), cookies() and after() anywhere on the server.',
  },
  {
    href: '/guide/metadata',
    name: 'Metadata',
    says: 'Each layout and page sets its own title and tags, in the HTML and after each navigation.',
  },
  {
    href: '/guide/theme',
    name: 'Theme',
    says: 'Light, dark or the system’s theme, from the first painted frame on.',
  },
]

const german: readonly Part[] = [
  {
    href: '/guide/loading-and-streaming',
    name: 'Streaming',
    says: 'Zeigen Sie, was fertig ist, und senden Sie langsame Teile später in derselben Antwort.',
  },
  {
    href: '/guide/routing',
    name: 'Routing',
    says: 'Gruppen, dynamische Segmente, parallele Slots und abgefangene Routen, aus einfachen Dateien.',
  },
  {
    href: '/guide/route-handlers',
    name: 'Route-Handler',
    says: 'Ein normaler Request hinein, eine normale Response heraus. HEAD, OPTIONS und 405 funktionieren von selbst.',
  },
  {
    href: '/guide/request',
    name: 'Die Anfrage',
    says: 'Rufen Sie headers(), cookies() und after() überall auf dem Server auf.',
  },
  {
    href: '/guide/metadata',
    name: 'Metadaten',
    says: 'Jedes Layout und jede Seite setzt Titel und Tags selbst, im HTML und nach jeder Navigation.',
  },
  {
    href: '/guide/theme',
    name: 'Farbschema',
    says: 'Hell, dunkel oder wie im System, ab dem ersten gezeichneten Bild.',
  },
]

const texts = {
  en: { heading: 'What’s included', parts: english },
  de: { heading: 'Was alles dabei ist', parts: german },
}

/** Parts of the framework, each with a link to its page in the guide. */
export function Parts(): ReactNode {
  const language = pageLanguage()
  const { heading, parts } = texts[language]
  return (
    <section aria-labelledby="parts">
      <h2 id="parts" className={styles.heading}>
        {heading}
      </h2>
      <ul className={styles.list}>
        {parts.map(({ href, name, says }) => (
          <li key={href}>
            <h3>
              <Link {...linkTo(href, language)}>{name}</Link>
            </h3>
            <p>{says}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
