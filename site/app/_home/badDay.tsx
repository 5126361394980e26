import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { linkTo } from '../_ui/language.ts'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import styles from './badDay.module.css'

type Line = {
  readonly title: string
  readonly text: string
  readonly command: string
  readonly result: string
  readonly href: string
  readonly link: string
}

const english: readonly Line[] = [
  {
    title: 'Break it before others do',
    text: 'One command opens each route in a browser while responses hang, break off or contain the wrong bytes, and reports what a person would see. In CI, it fails if somebody would wait forever.',
    command: 'npx waymark drill',
    result: '✓ data:cut  arrived',
    href: '/guide/drill',
    link: 'Run a drill',
  },
  {
    title: 'Deploy while pages are open',
    text: 'After a deploy, open pages still find their code, and the next click loads the new build. Typed text isn’t lost. With Redis or a shared folder, you can replace servers one by one.',
    command: 'npx waymark build',
    result: 'serves code of three builds',
    href: '/guide/deploys',
    link: 'See what happens to open pages',
  },
  {
    title: 'An action runs once',
    text: 'Somebody clicks twice, a response gets lost, or somebody reloads the page after submitting a form. The server still runs the action once, and each request gets its result.',
    command: 'POST /checkout, twice',
    result: '1 order',
    href: '/guide/actions#run-once',
    link: 'Read how that works',
  },
]

const german: readonly Line[] = [
  {
    title: 'Finden Sie Fehler vor Ihren Besuchern',
    text: 'Ein Befehl öffnet jede Route in einem Browser, während Antworten hängen, abbrechen oder falsche Bytes enthalten, und berichtet, was ein Mensch sehen würde. In der CI schlägt er fehl, wenn jemand ewig warten würde.',
    command: 'npx waymark drill',
    result: '✓ data:cut  arrived',
    href: '/guide/drill',
    link: 'Zur Übung für den Ernstfall',
  },
  {
    title: 'Deployen, während Seiten offen sind',
    text: 'Nach einem Deployment finden offene Seiten ihren Code weiterhin, und der nächste Klick lädt den neuen Build. Eingetippter Text geht nicht verloren. Mit Redis oder einem gemeinsamen Ordner können Sie die Server nacheinander ersetzen.',
    command: 'npx waymark build',
    result: 'liefert Code von drei Builds',
    href: '/guide/deploys',
    link: 'Was mit offenen Seiten geschieht',
  },
  {
    title: 'Eine Aktion läuft nur einmal',
    text: 'Jemand klickt doppelt, eine Antwort geht verloren, oder jemand lädt die Seite nach dem Absenden neu. Der Server führt die Aktion trotzdem nur einmal aus, und jede Anfrage bekommt deren Ergebnis.',
    command: 'POST /checkout, zweimal',
    result: '1 Bestellung',
    href: '/guide/actions#run-once',
    link: 'Wie das funktioniert',
  },
]

const texts = {
  en: { heading: 'Made for the bad day', lines: english },
  de: { heading: 'Gemacht für den schlechten Tag', lines: german },
}

/** The section on failures, deploys and repeated requests. */
export function BadDay(): ReactNode {
  const language = pageLanguage()
  const { heading, lines } = texts[language]
  return (
    <section aria-labelledby="bad-day">
      <h2 id="bad-day" className={styles.heading}>
        {heading}
      </h2>
      <ul className={styles.list}>
        {lines.map(({ title, text, command, result, href, link }) => (
          <li key={href} className={styles.item}>
            <div className={styles.text}>
              <h3>{title}</h3>
              <p>{text}</p>
              <p>
                <Link {...linkTo(href, language)}>{link}</Link>
              </p>
            </div>
            <p className={styles.trace}>
              <code>{command}</code>
              <code>{result}</code>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
