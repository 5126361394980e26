import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Counter } from '../_ui/counter.tsx'
import { Expect } from '../_ui/expect.tsx'
import { Tabs } from '../_ui/tabs.tsx'

export const metadata: Metadata = { title: 'Templates' }

const pages = [
  { href: '/lab/templates', title: 'Index' },
  { href: '/lab/templates/one', title: 'One' },
  { href: '/lab/templates/two', title: 'Two' },
]

export default function TemplatesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <h1>Templates</h1>
      <p>A template is like a layout, but React mounts it again whenever its page changes.</p>
      <Expect>
        <li>Click both counters, then change the page.</li>
        <li>The layout keeps its count. The template starts again at 0.</li>
        <li>The template shows how often it was mounted since the document loaded.</li>
      </Expect>
      <Tabs pages={pages} />
      <div className="stage">
        <Counter label="In the layout" />
      </div>
      {children}
    </>
  )
}
