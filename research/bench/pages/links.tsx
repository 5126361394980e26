import { Counter } from './counter.tsx'
import type { LinkComponent } from './link.ts'

/** Links to the pages whose page data is measured. The measurement replaces `visitor`. */
export function LinksContent({ Link = 'a' }: { Link?: LinkComponent }) {
  return (
    <article>
      <h1>Links</h1>
      <Counter start={0} />
      <Link href="/items?q=visitor">Items</Link>
      <Link href="/rows?q=visitor">Rows</Link>
    </article>
  )
}
