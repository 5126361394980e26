import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { BadDay } from './_home/badDay.tsx'
import { Endings } from './_home/endings.tsx'
import { Figures } from './_home/figures.tsx'
import { Folder } from './_home/folder.tsx'
import { Hero } from './_home/hero.tsx'
import styles from './_home/home.module.css'
import { Parts } from './_home/parts.tsx'
import { Start } from './_home/start.tsx'
import { alternatesOf, linkTo } from './_ui/language.ts'
import { pageLanguage } from './_ui/pageLanguage.ts'

const texts = {
  en: {
    heading: 'Don’t take our word for it',
    text: 'The lab has a page for each behaviour. Each page tells you what to expect, lets you try it, and shows what happened. This site runs on Waymark and uses only its public API.',
    link: 'Open the lab',
  },
  de: {
    heading: 'Überzeugen Sie sich selbst',
    text: 'Das Labor hat für jedes Verhalten eine Seite. Jede Seite sagt Ihnen, was Sie erwarten können, lässt es Sie ausprobieren und zeigt, was passiert ist. Diese Website läuft mit Waymark und nutzt nur die öffentliche API.',
    link: 'Zum Labor',
  },
}

export function generateMetadata(): Metadata {
  return { alternates: alternatesOf('/', pageLanguage()) }
}

export default function Home(): ReactNode {
  const language = pageLanguage()
  const { heading, text, link } = texts[language]
  return (
    <main>
      <Hero />
      <div className={styles.sections}>
        <Start />
        <Endings />
        <BadDay />
        <Figures />
        <Folder />
        <Parts />
        <section className={styles.closing} aria-labelledby="closing">
          <h2 id="closing">{heading}</h2>
          <p>{text}</p>
          <p>
            <Link {...linkTo('/lab', language)}>{link}</Link>
          </p>
        </section>
      </div>
    </main>
  )
}
