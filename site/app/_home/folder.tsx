import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './folder.module.css'

type Line = { readonly path: string; readonly says: string }

const lines: readonly Line[] = [
  { path: 'app/layout.tsx', says: 'wraps every page' },
  { path: 'app/page.tsx', says: '/' },
  { path: 'app/trails/page.tsx', says: '/trails' },
  { path: 'app/trails/[slug]/page.tsx', says: '/trails/höhenweg' },
  { path: 'app/trails/[slug]/loading.tsx', says: 'while the page loads' },
  { path: 'app/trails/[slug]/not-found.tsx', says: 'the 404 screen' },
  { path: 'app/trails/error.tsx', says: 'when something throws' },
  { path: 'app/api/gpx/route.ts', says: 'GET and POST /api/gpx' },
]

/** A small app folder, and the URL of each of its files. */
export function Folder(): ReactNode {
  return (
    <section className={styles.section} aria-labelledby="folder">
      <div className={styles.text}>
        <h2 id="folder">Files become routes</h2>
        <p>
          Routes are files with the names that App Router users know. Pages and layouts are React
          server components. A file with <code>'use client'</code> also runs in the browser. Vite
          builds the app, and a plain Node process serves it.
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
