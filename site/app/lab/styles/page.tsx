import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import './styles.css'
import module from './card.module.css'
import sass from './ladder.module.scss'
import { Pill } from './pill.tsx'

export const metadata: Metadata = { title: 'Style sheets' }

export default function Styles(): ReactNode {
  return (
    <>
      <h1>Style sheets</h1>
      <p>Four ways to style a component, each imported by the file that needs it.</p>
      <Expect>
        <li>All styles apply from the first paint on, in development and in production.</li>
        <li>Only this page loads these style sheets: see the links in its head.</li>
        <li>
          <Link href="/lab/styles/other">The other page</Link> uses the same class name in another
          module. The two don’t affect each other.
        </li>
      </Expect>
      <h2>A global style sheet</h2>
      <p className="lab-stripes">import ‘./styles.css’, with nesting</p>
      <h2>A CSS module</h2>
      <p className={module.card}>.card in card.module.css</p>
      <h2>Sass</h2>
      <ol className={sass.ladder}>
        <li>made</li>
        <li>by a</li>
        <li>loop</li>
        <li>in Sass</li>
      </ol>
      <h2>In a client component</h2>
      <Pill />
    </>
  )
}
