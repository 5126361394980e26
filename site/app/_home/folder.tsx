import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './folder.module.css'

type Line = { readonly path: string; readonly says: string }

const lines: readonly Line[] = [
  { path: 'app/layout.tsx', says: 'around every page' },
  { path: 'app/page.tsx', says: '/' },
  { path: 'app/trails/page.tsx', says: '/trails' },
  { path: 'app/trails/[slug]/page.tsx', says: '/trails/höhenweg' },
  { path: 'app/trails/[slug]/loading.tsx', says: 'while it waits' },
  { path: 'app/trails/[slug]/not-found.tsx', says: '404, with this screen' },
  { path: 'app/trails/error.tsx', says: 'when something throws' },
  { path: 'app/api/gpx/route.ts', says: 'GET and POST /api/gpx' },
]

/** A small app folder, and the URL of each of its files. */
export function Folder(): ReactNode {
  return (
    <section className={styles.section} aria-labelledby="folder">
      <div className={styles.text}>
        <h2 id="folder">A folder that you can read</h2>
        <p>
          Routes are files with the names that App Router users know. Pages and layouts are React
          server components; a file with <code>'use client'</code> runs in the browser, too. Vite
          builds it, and a plain Node process serves it.
        </p>
        <p>
          <Link href="/guide/coming-from-the-app-router">Coming from the App Router</Link>
        </p>
      </div>
      <dl className={styles.tree}>
        {lines.map(({ path, says }) => (
          <div key={path} className={styles.line}>
            <dt>
              <code>{path}</code>
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
