import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Tabs } from '../_ui/tabs.tsx'
import { Frame } from './frame.tsx'

export const metadata: Metadata = { title: 'Nested layouts' }

const pages = [
  { href: '/lab/layouts', title: 'Index' },
  { href: '/lab/layouts/one', title: 'One' },
  { href: '/lab/layouts/two', title: 'Two' },
]

export default function OuterLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <h1>Nested layouts</h1>
      <p>
        A layout stays mounted while the pages in it change. It keeps its state, such as a count or
        the text in a field.
      </p>
      <Expect>
        <li>Click both counters and type into the fields, then change between the pages.</li>
        <li>The outer layout keeps its count on all of them.</li>
        <li>The inner layout keeps its count between pages one and two, which share it.</li>
        <li>The time of a layout stays: the server doesn’t send the layout again.</li>
      </Expect>
      <Tabs pages={pages} />
      <Frame name="Outer layout">{children}</Frame>
    </>
  )
}
