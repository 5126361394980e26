import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { linkTo } from '../_ui/language.ts'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import styles from './folder.module.css'

type Line = {
  readonly path: string
  readonly says: string | { readonly en: string; readonly de: string }
}

const lines: readonly Line[] = [
  { path: 'app/layout.tsx', says: { en: 'wraps every page', de: 'um jede Seite' } },
  { path: 'app/page.tsx', says: '/' },
  { path: 'app/trails/page.tsx', says: '/trails' },
  { path: 'app/trails/[slug]/page.tsx', says: '/trails/höhenweg' },
  {
    path: 'app/trails/[slug]/loading.tsx',
    says: { en: 'while the page loads', de: 'solange die Seite lädt' },
  },
  { path: 'app/trails/[slug]/not-found.tsx', says: { en: 'the 404 screen', de: 'die 404-Seite' } },
  {
    path: 'app/trails/error.tsx',
    says: { en: 'when something throws', de: 'wenn etwas schiefgeht' },
  },
  {
    path: 'app/api/gpx/route.ts',
    says: { en: 'GET and POST /api/gpx', de: 'GET und POST /api/gpx' },
  },
]

const texts = {
  en: {
    heading: 'Files become routes',
    text: (
      <>
        Routes are files with the names that App Router users know. Pages and layouts are React
        server components. A file with <code>'use client'</code> also runs in the browser. Vite
        builds the app, and a plain Node process serves it.
      </>
    ),
    link: 'Coming from the App Router',
  },
  de: {
    heading: 'Aus Dateien werden Routen',
    text: (
      <>
        Routen sind Dateien mit den Namen, die Sie vom App Router kennen. Seiten und Layouts sind
        Serverkomponenten von React. Eine Datei mit <code>'use client'</code> läuft auch im Browser.
        Vite baut die App, und ein gewöhnlicher Node-Prozess liefert sie aus.
      </>
    ),
    link: 'Für Umsteiger vom App Router',
  },
}

/** A small app folder, and the URL of each of its files. */
export function Folder(): ReactNode {
  const language = pageLanguage()
  const { heading, text, link } = texts[language]
  return (
    <section className={styles.section} aria-labelledby="folder">
      <div className={styles.text}>
        <h2 id="folder">{heading}</h2>
        <p>{text}</p>
        <p>
          <Link {...linkTo('/guide/coming-from-the-app-router', language)}>{link}</Link>
        </p>
      </div>
      <dl className={styles.tree}>
        {lines.map(({ path, says }) => (
          <div key={path} className={styles.line}>
            <dt>
              <code>{path}</code>
            </dt>
            <dd>{typeof says === 'string' ? says : says[language]}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
