import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Blaze } from './_ui/blaze.tsx'
import { linkTo } from './_ui/language.ts'
import styles from './_ui/notFound.module.css'
import { pageLanguage } from './_ui/pageLanguage.ts'

const texts = {
  en: {
    heading: 'This page could not be found.',
    lead: 'Check the address for a typo. The page may also have been moved or removed. The search above covers every page of this site.',
    ways: [
      { href: '/guide', name: 'The guide', text: ', from your first app to production' },
      { href: '/reference', name: 'The reference', text: ', for every export of the packages' },
      { href: '/lab', name: 'The lab', text: ', where you can try each behaviour' },
    ],
  },
  de: {
    heading: 'Diese Seite wurde nicht gefunden.',
    lead: 'Prüfen Sie die Adresse auf Tippfehler. Vielleicht wurde die Seite auch verschoben oder gelöscht. Die Suche oben findet jede Seite dieser Website.',
    ways: [
      { href: '/guide', name: 'Das Handbuch', text: ': von der ersten App bis zum Betrieb' },
      { href: '/reference', name: 'Die Referenz', text: ' (englisch): jeder Export der Pakete' },
      { href: '/lab', name: 'Das Labor', text: ': jedes Verhalten zum Ausprobieren' },
    ],
  },
}

export function generateMetadata(): Metadata {
  return { title: `404: ${texts[pageLanguage()].heading}` }
}

/** Screen that looks like the built-in one, with links to the parts of this site. */
export default function NotFound(): ReactNode {
  const language = pageLanguage()
  const { heading, lead, ways } = texts[language]
  return (
    <main className={styles.main}>
      <div className={styles.top}>
        <p className={styles.status}>404</p>
        <Blaze kind="end" />
      </div>
      <h1 className={styles.heading}>{heading}</h1>
      <p className={styles.lead}>{lead}</p>
      <ul className={styles.ways}>
        {ways.map(({ href, name, text }) => (
          <li key={href}>
            <Link {...linkTo(href, language)}>{name}</Link>
            {text}
          </li>
        ))}
      </ul>
    </main>
  )
}
