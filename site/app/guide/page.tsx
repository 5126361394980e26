import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { guideGroups } from './_ui/pages.ts'
import styles from './guide.module.css'

export const metadata: Metadata = {
  title: 'Guide',
  description: 'How to build with Waymark: a way through it, and one page for each part.',
}

type Step = { readonly href: string; readonly name: string; readonly says: string }

/** The way from nothing to a deployed app, in the order in which one needs the pages. */
const steps: readonly Step[] = [
  {
    href: '/guide/ten-minutes',
    name: 'From nothing to deployed in ten minutes',
    says: 'A page, a read and an action, built and run as on a server.',
  },
  {
    href: '/guide/getting-started',
    name: 'Getting started',
    says: 'The same slowly: which file does what, and what can be left out.',
  },
  {
    href: '/guide/routing',
    name: 'Routing',
    says: 'Which file serves which URL, and how layouts nest.',
  },
  {
    href: '/guide/server-and-client-components',
    name: 'Server and client components',
    says: 'What runs where, and what reaches the browser.',
  },
  {
    href: '/guide/actions',
    name: 'Server actions',
    says: 'Forms and calls that change something, with and without scripts.',
  },
  {
    href: '/guide/errors-and-fallbacks',
    name: 'Errors and fallbacks',
    says: '404, 403, 401 and 500: the screen, its status, and how to find the cause.',
  },
  {
    href: '/guide/static-and-dynamic',
    name: 'Static and dynamic',
    says: 'What the build renders, and what each request renders.',
  },
  {
    href: '/guide/deployment',
    name: 'Deployment',
    says: 'One server, a container, several behind a balancer.',
  },
]

export default function Guide(): ReactNode {
  return (
    <>
      <h1>Guide</h1>
      <p>
        Eight pages lead from an empty folder to a deployed app. Each other page is for one part of
        the framework: what it is for, the code, and its limits.
      </p>
      <p>
        The code can be copied as it stands: each block names its file, and a test compiles it. What
        it imports from the root of the app, such as <code>trails.ts</code> or <code>db.ts</code>,
        is yours: a module that reads and writes your data.
      </p>
      <ol className={styles.steps}>
        {steps.map(({ href, name, says }) => (
          <li key={href}>
            <Link href={href}>{name}</Link>
            <span>{says}</span>
          </li>
        ))}
      </ol>
      <h2 className={styles.all}>All pages</h2>
      <div className={styles.groups}>
        {guideGroups.map(({ title, pages }) => (
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
