import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './parts.module.css'

type Part = { readonly href: string; readonly name: string; readonly says: string }

const parts: readonly Part[] = [
  {
    href: '/guide/loading-and-streaming',
    name: 'Streaming',
    says: 'A document that is ready goes out in one write; one that waits streams.',
  },
  {
    href: '/guide/routing',
    name: 'Routing',
    says: 'Groups, dynamic segments, parallel slots, interception. A match costs by the depth of the path.',
  },
  {
    href: '/guide/route-handlers',
    name: 'Route handlers',
    says: 'Plain Request in, plain Response out. HEAD, OPTIONS and 405 answer themselves.',
  },
  {
    href: '/guide/request',
    name: 'Request scope',
    says: 'headers(), cookies() and after(), with no argument to pass down.',
  },
  {
    href: '/guide/metadata',
    name: 'Metadata',
    says: 'Merged along the route, in the HTML and after each navigation.',
  },
  {
    href: '/guide/theme',
    name: 'Theme',
    says: 'Light, dark or the system’s, right on the first painted frame.',
  },
]

/** What is in the framework, each with its page in the guide. */
export function Parts(): ReactNode {
  return (
    <section aria-labelledby="parts">
      <h2 id="parts" className={styles.heading}>
        What is in it
      </h2>
      <ul className={styles.list}>
        {parts.map(({ href, name, says }) => (
          <li key={href}>
            <h3>
              <Link href={href}>{name}</Link>
            </h3>
            <p>{says}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
