import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { alternatesOf, linkTo } from '../_ui/language.ts'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import { germanGroups } from './_ui/germanGroups.ts'
import { labGroups } from './_ui/pages.ts'
import styles from './page.module.css'

const texts = {
  en: {
    title: 'Lab',
    description: 'Try each behaviour of Waymark yourself.',
    lead: 'Try each behaviour of Waymark yourself. Every page tells you what to expect, lets you try it, and shows what happened. Nothing is simulated: all responses come from this server.',
    note: null,
    groups: labGroups,
  },
  de: {
    title: 'Labor',
    description: 'Probieren Sie jedes Verhalten von Waymark selbst aus.',
    lead: 'Probieren Sie jedes Verhalten von Waymark selbst aus. Jede Seite sagt Ihnen, was Sie erwarten können, lässt es Sie ausprobieren und zeigt, was passiert ist. Nichts ist simuliert: Alle Antworten kommen von diesem Server.',
    note: 'Die Versuche gibt es nur auf Englisch.',
    groups: germanGroups,
  },
}

export function generateMetadata(): Metadata {
  const language = pageLanguage()
  return { description: texts[language].description, alternates: alternatesOf('/lab', language) }
}

export default function Lab(): ReactNode {
  const language = pageLanguage()
  const { title, lead, note, groups } = texts[language]
  return (
    <>
      <h1>{title}</h1>
      <p>{lead}</p>
      {note && <p>{note}</p>}
      <div className={styles.groups}>
        {groups.map(({ title, pages }) => (
          <section key={title} className={styles.group}>
            <h2>{title}</h2>
            <ul className={styles.list}>
              {pages.map(({ href, title, says }) => (
                <li key={href} className={styles.item}>
                  <Link {...linkTo(href, language)}>{title}</Link>
                  <p>{says}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
