import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { linkTo } from '../_ui/language.ts'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import styles from './hero.module.css'
import { Trail } from './trail.tsx'

const texts = {
  en: {
    title: (
      <>
        Every route load <em>arrives</em>.
      </>
    ),
    lead: 'Waymark is a React framework for web applications with client-side routing. Each load ends at the page, at a fallback screen with the right HTTP status, or at an error that you can trace. Nobody sees a blank page or waits forever.',
    start: { text: 'Get started', href: '/guide/ten-minutes' },
    lab: 'Try it in the lab',
  },
  de: {
    title: (
      <>
        Jeder Seitenaufruf <em>kommt an</em>.
      </>
    ),
    lead: 'Waymark ist ein React-Framework für Webanwendungen mit Routing im Browser. Jeder Aufruf endet auf der Seite, auf einer Ersatzseite mit dem richtigen HTTP-Status oder bei einem Fehler, den Sie nachverfolgen können. Niemand sieht eine leere Seite, und niemand wartet ewig.',
    start: { text: 'Loslegen', href: '/guide/getting-started' },
    lab: 'Im Labor ausprobieren',
  },
}

/** The framework's promise, drawn over a map. */
export function Hero(): ReactNode {
  const language = pageLanguage()
  const { title, lead, start, lab } = texts[language]
  return (
    <section className={styles.hero}>
      <div className={styles.map} aria-hidden="true" />
      <Trail />
      <div className={styles.inner}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        <p className={styles.actions}>
          <Link className={styles.primary} {...linkTo(start.href, language)}>
            {start.text}
          </Link>
          <Link className={styles.secondary} {...linkTo('/lab', language)}>
            {lab}
          </Link>
        </p>
      </div>
    </section>
  )
}
