import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { leave } from './_ui/actions.ts'
import { Counter } from './_ui/counter.tsx'
import { ItemList } from './_ui/itemList.tsx'
import { readList } from './_ui/list.ts'

export const metadata: Metadata = { title: 'Server actions' }

const endings = [
  { to: 'redirect', says: 'Lead to another page' },
  { to: 'not-found', says: 'Find nothing' },
  { to: 'fail', says: 'Throw' },
] as const

export default async function Actions(): Promise<ReactNode> {
  return (
    <>
      <Expect>
        <li>Begin the slow one above, then go to the other page: nothing waits for it.</li>
        <li>An entry shows at once, in grey, and becomes a true one in a single frame.</li>
        <li>A double click adds one entry. Several different ones run beside each other.</li>
        <li>
          Without a network a notice says so within seconds. What you entered stays, what was shown
          ahead is taken back; <i>Retry</i> sends it once.
        </li>
        <li>
          Each form has the action itself, and works without JavaScript: see{' '}
          <Link href="/guide/forms">Forms</Link>.
        </li>
      </Expect>
      <h2>A list, shown ahead</h2>
      <ItemList items={await readList()} />
      <h2>In line</h2>
      <p>
        With <code>useActionState</code>, React gives each call the state of the one before. Click
        fast: no click is lost, since the form says <code>data-waymark-repeat</code>.
      </p>
      <div className="stage">
        <Counter />
      </div>
      <h2>Other endings</h2>
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
