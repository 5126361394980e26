import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './badDay.module.css'

type Line = {
  readonly title: string
  readonly text: string
  readonly command: string
  readonly result: string
  readonly href: string
  readonly link: string
}

const lines: readonly Line[] = [
  {
    title: 'Break it before others do',
    text: 'One command opens each route in a browser while requests hang, break off or lie, and says what a person would have seen. In CI it fails where somebody would wait for ever.',
    command: 'npx waymark drill',
    result: '✓ data:cut  arrived',
    href: '/guide/drill',
    link: 'Run a drill',
  },
  {
    title: 'Deploy while pages are open',
    text: 'Open pages find their code after a deploy, and the next click leads to the new build. Typed text is not lost. With Redis or a shared folder, servers are replaced one by one.',
    command: 'npx waymark build',
    result: 'serves code of three builds',
    href: '/guide/deploys',
    link: 'See what an open page does',
  },
  {
    title: 'An action runs once',
    text: 'A second click, a retry after a response that was lost, a reload of the form’s response: the server runs the action once, and each of them gets its result.',
    command: 'POST /checkout, twice',
    result: '1 order',
    href: '/guide/actions#run-once',
    link: 'Read how it is known',
  },
]

/** What an app has for the day on which things go wrong. */
export function BadDay(): ReactNode {
  return (
    <section aria-labelledby="bad-day">
      <h2 id="bad-day" className={styles.heading}>
        Made for the bad day
      </h2>
      <ul className={styles.list}>
        {lines.map(({ title, text, command, result, href, link }) => (
          <li key={href} className={styles.item}>
            <div className={styles.text}>
              <h3>{title}</h3>
              <p>{text}</p>
              <p>
                <Link href={href}>{link}</Link>
              </p>
            </div>
            <p className={styles.trace}>
              <code>{command}</code>
              <code>{result}</code>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
