import { Counter } from './counter.tsx'
import type { LinkComponent } from './link.ts'

/** A page whose button requests its data again, with the framework's own function. */
export function RefreshContent({
  refresh,
  Link = 'a',
}: {
  refresh: () => void
  Link?: LinkComponent
}) {
  return (
    <article>
      <h1>Refresh</h1>
      <Counter start={0} />
      <button type="button" onClick={() => refresh()}>
        Refresh
      </button>
      <Link href="/own?q=1">With code of its own</Link>
    </article>
  )
}
