import type { ReactNode } from 'react'
import { Tabs } from '../_ui/tabs.tsx'
import { Slow } from './_ui/slow.tsx'

const pages = [
  { href: '/lab/actions', title: 'The forms' },
  { href: '/lab/actions/beside', title: 'Another page' },
] as const

export default function ActionsLayout({ children }: { children: ReactNode }): ReactNode {
  return (
    <>
      <h1>Server actions</h1>
      <p>
        Forms that call the server. Try them with the network switched off in the tools of your
        browser, too, and without JavaScript.
      </p>
      <div className="stage">
        <Slow />
        <Tabs pages={pages} />
      </div>
      {children}
    </>
  )
}
