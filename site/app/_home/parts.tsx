import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './parts.module.css'

type Part = { readonly href: string; readonly name: string; readonly says: string }

const parts: readonly Part[] = [
  {
    href: '/guide/loading-and-streaming',
    name: 'Streaming',
    says: 'Show what is ready, and send slow parts later in the same response.',
  },
  {
    href: '/guide/routing',
    name: 'Routing',
    says: 'Groups, dynamic segments, parallel slots and intercepted routes, from plain files.',
  },
  {
    href: '/guide/route-handlers',
    name: 'Route handlers',
    says: 'A standard Request in, a standard Response out. HEAD, OPTIONS and 405 work automatically.',
  },
  {
    href: '/guide/request',
    name: 'The request',
    says: 'Call headers(), cookies() and after() anywhere on the server.',
  },
  {
    href: '/guide/metadata',
    name: 'Metadata',
    says: 'Each layout and page sets its own title and tags, in the HTML and after each navigation.',
  },
  {
    href: '/guide/theme',
    name: 'Theme',
    says: 'Light, dark or the system’s theme, from the first painted frame on.',
  },
]

/** Parts of the framework, each with a link to its page in the guide. */
export function Parts(): ReactNode {
  return (
    <section aria-labelledby="parts">
      <h2 id="parts" className={styles.heading}>
        What’s included
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
