import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { alternatesOf, type Language, linkTo } from '../_ui/language.ts'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import { groupText, menuPage } from './_ui/german.ts'
import { type GuidePage, learningPath, topicGroups } from './_ui/pages.ts'
import styles from './guide.module.css'

const texts = {
  en: {
    title: 'Guide',
    description: 'Learn Waymark from your first app to production, or look up one topic.',
    learn: 'Learn Waymark',
    topics: 'Look up a topic',
  },
  de: {
    title: 'Handbuch',
    description:
      'Lernen Sie Waymark von der ersten App bis zum Betrieb, oder schlagen Sie ein Thema nach.',
    learn: 'Waymark lernen',
    topics: 'Ein Thema nachschlagen',
  },
}

export function generateMetadata(): Metadata {
  const language = pageLanguage()
  const { title, description } = texts[language]
  return { title, description, alternates: alternatesOf('/guide', language) }
}

export default function Guide(): ReactNode {
  const language = pageLanguage()
  const { title, learn, topics } = texts[language]
  return (
    <>
      <h1>{title}</h1>
      {language === 'de' ? <GermanIntroduction /> : <EnglishIntroduction />}
      <h2 className={styles.part}>{learn}</h2>
      <ol className={styles.chapters}>
        {learningPath.map(({ title, summary, pages }) => (
          <li key={title}>
            <h3>{groupText(title, language)}</h3>
            <p>{groupText(summary, language)}</p>
            <ul className={styles.pages}>
              <Pages pages={pages} language={language} />
            </ul>
          </li>
        ))}
      </ol>
      <h2 className={styles.part}>{topics}</h2>
      <div className={styles.groups}>
        {topicGroups.map(({ title, pages }) => (
          <section key={title}>
            <h3 className={styles.title}>{groupText(title, language)}</h3>
            <ul className={styles.list}>
              <Pages pages={pages} language={language} />
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

function Pages({
  pages,
  language,
}: {
  pages: readonly GuidePage[]
  language: Language
}): ReactNode {
  return pages.map((page) => {
    const { href, title, lang } = menuPage(page, language)
    return (
      <li key={href}>
        <Link {...linkTo(href, language)} lang={lang}>
          {title}
        </Link>
      </li>
    )
  })
}

function EnglishIntroduction(): ReactNode {
  return (
    <>
      <p>
        New to Waymark? Read the seven chapters below in order. They lead from an empty folder to an
        app in production, and each page links to the next. Already building? Look up your topic in
        the lists after them.
      </p>
      <p>
        You can copy every code block as it stands. The first line or the caption names its file,
        and our tests compile the code. Some examples import a module from the root of the app, such
        as <code>trails.ts</code> or <code>db.ts</code>. You write that module yourself: it reads
        and writes your data.
      </p>
    </>
  )
}

function GermanIntroduction(): ReactNode {
  return (
    <>
      <p>
        Waymark ist neu für Sie? Lesen Sie die sieben Kapitel der Reihe nach. Sie führen von einem
        leeren Ordner bis zu einer App im Betrieb, und jede Seite verweist auf die nächste. Sie
        bauen schon eine App? Schlagen Sie Ihr Thema in den Listen danach nach.
      </p>
      <p>
        Seiten mit deutschem Titel gibt es auf Deutsch, alle anderen auf Englisch. Sie können jeden
        Codeblock unverändert kopieren. Die erste Zeile oder die Überschrift nennt die Datei, und
        unsere Tests kompilieren den Code. Manche Beispiele importieren ein Modul aus dem
        Hauptordner der App, etwa <code>trails.ts</code> oder <code>db.ts</code>. Dieses Modul
        schreiben Sie selbst: Es liest und schreibt Ihre Daten.
      </p>
    </>
  )
}
