import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { linkTo } from '../_ui/language.ts'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import Code from './code.mdx'
import Command from './command.mdx'
import styles from './start.module.css'

const createFromCheckout = '/guide/create-an-app#from-a-checkout'

const texts = {
  en: {
    heading: 'Start with one command',
    command: (
      <>
        You get an app in TypeScript that runs, builds and passes its type check. Version 0.1 isn’t
        on npm yet. Until then, create your app{' '}
        <Link {...linkTo(createFromCheckout, 'en')}>from a checkout</Link>.
      </>
    ),
    page: (
      <>
        A page is a server component. It reads its own data, and calls <code>notFound()</code> if
        there’s nothing to show. Its form works before any script has loaded.
      </>
    ),
  },
  de: {
    heading: 'Ein Befehl genügt für den Anfang',
    command: (
      <>
        Sie bekommen eine App in TypeScript, die läuft, sich bauen lässt und die Typprüfung besteht.
        Version 0.1 ist noch nicht auf npm. Erstellen Sie Ihre App bis dahin{' '}
        <Link {...linkTo(createFromCheckout, 'de')}>aus einem Checkout</Link>.
      </>
    ),
    page: (
      <>
        Eine Seite ist eine Serverkomponente. Sie liest ihre Daten selbst und ruft{' '}
        <code>notFound()</code> auf, wenn es nichts zu zeigen gibt. Ihr Formular funktioniert, bevor
        das erste Skript geladen ist.
      </>
    ),
  },
}

/** The command that creates an app, and the code of a page. */
export function Start(): ReactNode {
  const { heading, command, page } = texts[pageLanguage()]
  return (
    <section className={styles.section} aria-labelledby="start">
      <div className={styles.text}>
        <h2 id="start">{heading}</h2>
        <p>{command}</p>
        <Command />
        <p>{page}</p>
      </div>
      <Code />
    </section>
  )
}
