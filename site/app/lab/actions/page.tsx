import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { leave } from './_ui/actions.ts'
import { Counter } from './_ui/counter.tsx'
import { ItemList } from './_ui/itemList.tsx'
import { readList } from './_ui/list.ts'

export const metadata: Metadata = { title: 'Server actions' }

const endings = [
  { to: 'redirect', says: 'Redirect' },
  { to: 'not-found', says: 'Not found' },
  { to: 'fail', says: 'Throw an error' },
] as const

export default async function Actions(): Promise<ReactNode> {
  return (
    <>
      <Expect>
        <li>
          Start the slow action above, then go to the other page. Nothing waits for the action.
        </li>
        <li>A new entry shows at once in grey. When the server has it, its colour changes.</li>
        <li>A double click adds one entry. Different entries are sent in parallel.</li>
        <li>
          Without a network, a notice appears within seconds. Your text stays in the field, and the
          grey entry disappears. <i>Retry</i> sends the text once.
        </li>
        <li>
          Each form also works without JavaScript: see <Link href="/guide/forms">Forms</Link>.
        </li>
      </Expect>
      <h2>An optimistic list</h2>
      <ItemList items={await readList()} />
      <h2>One call after the other</h2>
      <p>
        With <code>useActionState</code>, React passes the result of each call to the next one.
        Click fast. No click is dropped, because the form has <code>data-waymark-repeat</code>.
      </p>
      <div className="stage">
        <Counter />
      </div>
      <h2>Redirects and errors</h2>
      <form action={leave} className="stage">
        <div className="controls">
          {endings.map(({ to, says }) => (
            <button key={to} type="submit" name="to" value={to} className="button">
              {says}
            </button>
          ))}
        </div>
      </form>
    </>
  )
}
