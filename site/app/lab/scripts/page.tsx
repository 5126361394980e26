import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Script, type ScriptProps } from 'waymark/script'
import { Expect } from '../_ui/expect.tsx'
import { AskForConsent } from './askForConsent.tsx'

export const metadata: Metadata = { title: 'Third-party scripts' }

function Row({ id, ...props }: { id: string } & Omit<ScriptProps, 'src' | 'text'>): ReactNode {
  return (
    <>
      <dt>{id}</dt>
      <dd>
        {/* A script may change this text before React hydrates the page. */}
        <output name={id} suppressHydrationWarning>
          hasn’t run
        </output>
        <Script src={`/lab-script.js?${id}`} each attributes={{ 'data-id': id }} {...props} />
      </dd>
    </>
  )
}

export default function Scripts(): ReactNode {
  return (
    <>
      <h1>Third-party scripts</h1>
      <p>
        <code>{'<Script>'}</code> loads a third-party script when you choose. Nothing waits for it.
      </p>
      <Expect>
        <li>The first three scripts run automatically, one after the other.</li>
        <li>The fourth runs at your first click, key or touch.</li>
        <li>The fifth waits until you agree, here or in an earlier visit.</li>
        <li>The last one can’t be loaded. The page still works, and the journal has the error.</li>
      </Expect>
      <dl className="facts">
        <Row id="head" when="head" />
        <Row id="start" when="start" />
        <Row id="idle" when="idle" />
        <Row id="interaction" when="interaction" />
        <Row id="consent" when="head" consent="lab" />
      </dl>
      <AskForConsent />
      <Script src="/lab-script-that-is-missing.js" when="interaction" each />
    </>
  )
}
