import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { TypedField } from './_ui/typedField.tsx'

export const metadata: Metadata = { title: 'Network faults' }

export default function FaultsPage(): ReactNode {
  return (
    <>
      <p className="controls">
        <Link className="button" href="/lab/faults/target" prefetch={false}>
          To the target
        </Link>
        <Link className="button" href="/lab/faults/target/styled" prefetch={false}>
          To a target with new code and styles
        </Link>
        <Link className="button" href="/lab/faults/target/imported" prefetch={false}>
          To a target that imports code
        </Link>
        <Link className="button" href="/lab/faults/target/calling" prefetch={false}>
          To a target with actions
        </Link>
        <Link className="button" href="/lab/faults/prefetch" prefetch={false}>
          Faults in prefetches
        </Link>
        <Link className="button" href="/lab">
          Back to the lab
        </Link>
      </p>
      <TypedField />
      <Expect>
        <li>After 100 ms, the link and the page show that something is loading.</li>
        <li>
          If a response is cut, changed or foreign, the browser requests it again, and the page
          arrives. If the data keeps failing, the browser loads the document instead.
        </li>
        <li>
          After 3.8 seconds of silence, a notice offers ways out. If you don’t choose, the browser
          loads the target’s document, unless you have typed something into the field here.
        </li>
        <li>
          If page data and the document both fail, this page stays and tries again automatically.
        </li>
        <li>
          If the server restarts, the browser tries again at once and repeatedly. After a second, a
          notice tells you. Within a second after the server is back, you see the target.
        </li>
        <li>
          If the code of a component is missing, the target still arrives. The slider stays as the
          server has rendered it, and a notice offers to load the code again. Everything else works.
        </li>
        <li>
          If the code of an <code>import()</code> is missing, you see the nearest error screen after
          two more attempts. Its button loads the code again.
        </li>
        <li>
          If an action gets no response, a notice appears: after 3.8 seconds if the request hangs,
          or after one more attempt for a reset or a 500. The word stays in its field, and{' '}
          <i>Retry</i> sends it once. The call for the time rejects instead, because its code awaits
          the result.
        </li>
        <li>Other links always work, and the URL always matches the page.</li>
      </Expect>
    </>
  )
}
