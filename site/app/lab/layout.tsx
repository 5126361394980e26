import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import '../_styles/prose.css'
import './_ui/lab.css'
import { SectionMenu } from '../_ui/sectionMenu.tsx'
import shell from '../_ui/shell.module.css'
import { labGroups } from './_ui/pages.ts'

export const metadata: Metadata = {
  title: { template: '%s · Waymark lab', default: 'Lab' },
}

export default function LabLayout({ children }: { children: ReactNode }) {
  return (
    <div className={shell.shell}>
      <SectionMenu label="Lab" index="/lab" groups={labGroups} />
      <main id="page" tabIndex={-1} className={shell.main}>
        <div className="prose lab">{children}</div>
      </main>
    </div>
  )
}
