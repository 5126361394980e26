import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './footer.module.css'
import { type Language, linkTo } from './language.ts'
import { pageLanguage } from './pageLanguage.ts'

export function Footer(): ReactNode {
  const language = pageLanguage()
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>{language === 'de' ? <German /> : <English />}</div>
    </footer>
  )
}

function English(): ReactNode {
  return (
    <>
      <p>Waymark 0.1, in development, under the MIT licence.</p>
      <p>
        <Link href="/reference">API reference</Link>, <Link href="/changelog">changelog</Link>.
      </p>
      <p>
        This site runs on Waymark. <Link href="/lab">Try its behaviour in the lab</Link>.
      </p>
    </>
  )
}

function German(): ReactNode {
  const language: Language = 'de'
  return (
    <>
      <p>Waymark 0.1, in Entwicklung, unter der MIT-Lizenz.</p>
      <p>
        <Link {...linkTo('/reference', language)}>API-Referenz</Link> und{' '}
        <Link {...linkTo('/changelog', language)}>Änderungen</Link>, beide auf Englisch.
      </p>
      <p>
        Diese Website läuft mit Waymark.{' '}
        <Link {...linkTo('/lab', language)}>Probieren Sie es im Labor aus</Link>.
      </p>
    </>
  )
}
