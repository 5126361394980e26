import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { Blaze, type BlazeKind } from '../_ui/blaze.tsx'
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

const endings: readonly Ending[] = [
  {
    blaze: 'on',
    title: 'At the page',
    text: 'Server components stream to HTML, slow parts follow when they are ready, and client components hydrate in place. A click fetches only the part of the page that changes.',
    request: 'GET /guide',
    status: '200',
    href: '/lab/streaming',
    link: 'Watch a page stream in',
  },
  {
    blaze: 'turn',
    title: 'At a fallback screen',
    text: 'notFound(), forbidden() and unauthorized() decide the status before the first byte goes out. The screen is in the HTML: readable without scripts, for people and crawlers alike.',
    request: 'GET /lab/fallbacks/missing',
    status: '404',
    href: '/lab/fallbacks',
    link: 'Ask for every status',
  },
  {
    blaze: 'end',
    title: 'At an error that can be traced',
    text: 'An error becomes a 500 with a digest. The same digest is on the screen, in a response header and in the server’s log; the message and the stack stay on the server.',
    request: 'GET /lab/errors/page',
    status: '500',
    href: '/lab/errors',
    link: 'Break a page',
  },
]

/** The three ends of a route load, in the language of trail marks. */
export function Endings(): ReactNode {
  return (
    <section aria-labelledby="endings">
      <h2 id="endings" className={styles.heading}>
        Three ways a load can end
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
              <Link href={ending.href}>{ending.link}</Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
