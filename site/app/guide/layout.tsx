import type { ReactNode } from 'react'
import '../_styles/prose.css'
import { SectionMenu } from '../_ui/sectionMenu.tsx'
import shell from '../_ui/shell.module.css'
import { guideGroups } from './_ui/pages.ts'
import { PageTurn } from './_ui/pageTurn.tsx'

export default function GuideLayout({ children }: { children: ReactNode }) {
  return (
    <div className={shell.shell}>
      <SectionMenu label="Guide" index="/guide" groups={guideGroups} />
      <main id="page" tabIndex={-1} className={shell.main}>
        <article className="prose">{children}</article>
        <PageTurn />
      </main>
    </div>
  )
}
