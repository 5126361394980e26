import { Counter } from './counter.tsx'
import type { LinkComponent } from './link.ts'

/** The start page for the comparison of navigations and of dev servers. */
export function StartContent({ greeting, Link = 'a' }: { greeting: string; Link?: LinkComponent }) {
  return (
    <article>
      <h1>Start</h1>
      <p>{greeting}</p>
      <Counter start={0} />
      <Link href="/own?q=1">With code of its own</Link>
    </article>
  )
}
