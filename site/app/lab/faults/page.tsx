import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { TypedField } from './_ui/typedField.tsx'

export const metadata: Metadata = { title: 'Faults on the way' }

export default function FaultsPage(): ReactNode {
  return (
    <>
      <p className="controls">
        <Link className="button" href="/lab/faults/target" prefetch={false}>
          To the target
        </Link>
        <Link className="button" href="/lab/faults/target/styled" prefetch={false}>
          To one with new code and styles
        </Link>
        <Link className="button" href="/lab/faults/target/imported" prefetch={false}>
          To one that imports code
        </Link>
        <Link className="button" href="/lab/faults/target/calling" prefetch={false}>
          To one with actions
        </Link>
        <Link className="button" href="/lab/faults/prefetch" prefetch={false}>
          Faults of what is fetched ahead
        </Link>
        <Link className="button" href="/lab">
          Back to the lab
        </Link>
      </p>
      <TypedField />
      <Expect>
        <li>After 100 ms the link and the page say that something is loading.</li>
        <li>
          What is cut, changed or foreign is asked for again, and the page arrives. Where its data
          is lost for good, its document comes instead.
        </li>
        <li>
          What stays silent for 3.8 seconds shows a notice with ways out. Left alone, it loads the
          target’s document, unless something was typed into the field here.
        </li>
        <li>
          With page data and the document both broken, this page stays, and tries again by itself.
        </li>
        <li>
          A server that restarts is asked again at once, and again. After a second a notice says so;
          within a second after the server is back, the target is here.
        </li>
        <li>
          Without the code of a component, the target still comes: the slider stays as the server
          has written it, and a notice offers to load it again. All else works.
        </li>
        <li>
          Without the code of an <code>import()</code>, the nearest error screen comes after two
          more tries. Its button loads again, and finds the code once it can be had.
        </li>
        <li>
          An action without an answer shows a notice, after 3.8 seconds where it hangs; a reset or a
          500 at once, after one more try. The word stays in its field, and <i>Retry</i> sends it
          once. The call for the time rejects instead: what awaits it says so itself.
        </li>
        <li>Other links work all the while. The address and the page agree.</li>
      </Expect>
    </>
  )
}
