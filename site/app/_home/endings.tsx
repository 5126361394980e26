import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { Blaze, type BlazeKind } from '../_ui/blaze.tsx'
import { linkTo } from '../_ui/language.ts'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import styles from './endings.module.css'

type Ending = {
  readonly blaze: BlazeKind
  readonly title: string
  readonly text: string
  readonly request: string
  readonly status: string
  readonly href: string
  readonly link: string
}

const english: readonly Ending[] = [
  {
    blaze: 'on',
    title: 'At the page',
    text: 'Server components stream as HTML, and slow parts follow when they’re ready. Client components hydrate in place. A click fetches only the part of the page that changes.',
    request: 'GET /guide',
    status: '200',
    href: '/lab/streaming',
    link: 'Watch a page stream in',
  },
  {
    blaze: 'turn',
    title: 'At a fallback screen',
    text: 'notFound(), forbidden() and unauthorized() set the status before the server sends the first byte. The screen is part of the HTML, so people and crawlers can read it without scripts.',
    request: 'GET /lab/fallbacks/missing',
    status: '404',
    href: '/lab/fallbacks',
    link: 'Try every status',
  },
  {
    blaze: 'end',
    title: 'At an error that can be traced',
    text: 'An error becomes a 500 with a digest. The digest appears on the screen, in a response header and in the server’s log. The message and the stack stay on the server.',
    request: 'GET /lab/errors/page',
    status: '500',
    href: '/lab/errors',
    link: 'Break a page',
  },
]

const german: readonly Ending[] = [
  {
    blaze: 'on',
    title: 'Auf der Seite',
    text: 'Serverkomponenten werden als HTML gestreamt, und langsame Teile folgen, sobald sie fertig sind. Clientkomponenten werden an Ort und Stelle interaktiv. Ein Klick lädt nur den Teil der Seite, der sich ändert.',
    request: 'GET /guide',
    status: '200',
    href: '/lab/streaming',
    link: 'Sehen Sie einer Seite beim Laden zu',
  },
  {
    blaze: 'turn',
    title: 'Auf einer Ersatzseite',
    text: 'notFound(), forbidden() und unauthorized() legen den Status fest, bevor der Server das erste Byte sendet. Die Ersatzseite ist Teil des HTML. Menschen und Suchmaschinen können sie deshalb auch ohne Skripte lesen.',
    request: 'GET /lab/fallbacks/missing',
    status: '404',
    href: '/lab/fallbacks',
    link: 'Probieren Sie jeden Status aus',
  },
  {
    blaze: 'end',
    title: 'Bei einem Fehler, der sich nachverfolgen lässt',
    text: 'Ein Fehler wird zu einem 500 mit einer Fehlerkennung. Sie steht auf der Seite, in einem Header der Antwort und im Protokoll des Servers. Die Meldung und der Stack bleiben auf dem Server.',
    request: 'GET /lab/errors/page',
    status: '500',
    href: '/lab/errors',
    link: 'Lassen Sie eine Seite scheitern',
  },
]

const texts = {
  en: { heading: 'Three ways a load can end', endings: english },
  de: { heading: 'Drei Wege, wie ein Aufruf enden kann', endings: german },
}

/** The three ways in which the load of a route can end, each with its trail mark. */
export function Endings(): ReactNode {
  const language = pageLanguage()
  const { heading, endings } = texts[language]
  return (
    <section aria-labelledby="endings">
      <h2 id="endings" className={styles.heading}>
        {heading}
      </h2>
      <ul className={styles.list}>
        {endings.map((ending) => (
          <li key={ending.title} className={styles.item}>
            <div className={styles.mark}>
              <Blaze kind={ending.blaze} />
            </div>
            <h3>{ending.title}</h3>
            <p>{ending.text}</p>
            <p className={styles.trace}>
              <code>{ending.request}</code> <code>{ending.status}</code>
            </p>
            <p>
              <Link {...linkTo(ending.href, language)}>{ending.link}</Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
