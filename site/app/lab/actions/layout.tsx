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
        These forms call the server. Also try them without a network, which you can switch off in
        the developer tools of your browser, and without JavaScript.
      </p>
      <div className="stage">
        <Slow />
        <Tabs pages={pages} />
      </div>
      {children}
    </>
  )
}
