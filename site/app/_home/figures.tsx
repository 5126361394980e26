import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { type Language, linkTo } from '../_ui/language.ts'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import styles from './figures.module.css'

type Row = {
  readonly page: { readonly en: string; readonly de: string }
  readonly values: readonly string[]
  readonly best: number
}

const frameworks = [
  'Waymark',
  'Next 16',
  'TanStack Start',
  'React Router 8',
  'SvelteKit 3',
  'Astro 7',
] as const

// Figures from the guide's comparison, measured on 2026-11-30. Waymark was measured with speedups.
const rows: readonly Row[] = [
  {
    page: { en: 'Static page', de: 'Statische Seite' },
    values: ['18,374', '916', '1,656', '3,984', '3,581', '4,356'],
    best: 0,
  },
  {
    page: { en: 'Unmatched URL', de: 'Unbekannte URL' },
    values: ['19,780', '1,406', '848', '616', '2,483', '1,871'],
    best: 0,
  },
  {
    page: { en: 'Small page', de: 'Kleine Seite' },
    values: ['2,537', '225', '960', '638', '1,759', '989'],
    best: 0,
  },
  {
    page: { en: '100 items', de: '100 Einträge' },
    values: ['349', '96', '294', '221', '647', '868'],
    best: 5,
  },
  {
    page: { en: '1,000 rows', de: '1.000 Zeilen' },
    values: ['73', '23', '129', '96', '141', '556'],
    best: 5,
  },
  {
    page: { en: '1,000 client rows', de: '1.000 Client-Zeilen' },
    values: ['158', '80', '155', '103', '149', '68'],
    best: 0,
  },
]

const texts = {
  en: {
    heading: 'Measured, including where we lose',
    caption:
      'Requests per second of one server on one slow core, with Node 24, in November 2026. Each request gets different content, except for the first two pages. Waymark runs as in a new app, with speedups.',
    page: 'Page',
    link: 'Read the whole comparison',
  },
  de: {
    heading: 'Gemessen, auch dort, wo wir verlieren',
    caption:
      'Anfragen pro Sekunde auf einem Server mit einem langsamen Kern, mit Node\u00a024, im November 2026. Außer bei den ersten beiden Seiten bekommt jede Anfrage anderen Inhalt. Waymark läuft wie in einer neuen App, mit Speedups.',
    page: 'Seite',
    link: 'Zum ganzen Vergleich',
  },
}

/** Requests per second of Waymark and of other frameworks. */
export function Figures(): ReactNode {
  const language = pageLanguage()
  const { heading, caption, page, link } = texts[language]
  return (
    <section className={styles.section} aria-labelledby="figures">
      <h2 id="figures">{heading}</h2>
      <p id="figures-caption" className={styles.caption}>
        {caption}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach content that scrolls */}
      <section className="scroll-edges" aria-labelledby="figures-caption" tabIndex={0}>
        <table className={styles.table} aria-labelledby="figures-caption">
          <thead>
            <tr>
              <th scope="col">{page}</th>
              {frameworks.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ page: name, values, best }) => (
              <tr key={name.en}>
                <th scope="row">{name[language]}</th>
                {values.map((value, at) => (
                  <td key={frameworks[at]}>
                    {at === best ? (
                      <strong>{inLanguage(value, language)}</strong>
                    ) : (
                      inLanguage(value, language)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p>
        <Link {...linkTo('/guide/comparison', language)}>{link}</Link>
      </p>
    </section>
  )
}

/** Returns a number with the separator of a language. */
function inLanguage(value: string, language: Language): string {
  return language === 'de' ? value.replace(',', '.') : value
}
