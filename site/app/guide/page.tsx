import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { learningPath, topicGroups } from './_ui/pages.ts'
import styles from './guide.module.css'

export const metadata: Metadata = {
  title: 'Guide',
  description: 'Learn Waymark from your first app to production, or look up one topic.',
}

export default function Guide(): ReactNode {
  return (
    <>
      <h1>Guide</h1>
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
      <h2 className={styles.part}>Learn Waymark</h2>
      <ol className={styles.chapters}>
        {learningPath.map(({ title, summary, pages }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{summary}</p>
            <ul className={styles.pages}>
              {pages.map((page) => (
                <li key={page.href}>
                  <Link href={page.href}>{page.title}</Link>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <h2 className={styles.part}>Look up a topic</h2>
      <div className={styles.groups}>
        {topicGroups.map(({ title, pages }) => (
          <section key={title}>
            <h3 className={styles.title}>{title}</h3>
            <ul className={styles.list}>
              {pages.map((page) => (
                <li key={page.href}>
                  <Link href={page.href}>{page.title}</Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
