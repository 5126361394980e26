import type { ReactNode } from 'react'
import '../_styles/prose.css'
import type { MenuGroupProps } from '../_ui/menuGroup.tsx'
import { SectionMenu } from '../_ui/sectionMenu.tsx'
import shell from '../_ui/shell.module.css'
import { type GuideGroup, learningPath, topicGroups } from './_ui/pages.ts'
import { PageTurn } from './_ui/pageTurn.tsx'

const menu = [...groupsOf('Learn', learningPath), ...groupsOf('Topics', topicGroups)]

export default function GuideLayout({ children }: { children: ReactNode }) {
  return (
    <div className={shell.shell}>
      <SectionMenu label="Guide" index="/guide" groups={menu} />
      <main id="page" tabIndex={-1} className={shell.main}>
        <article className="prose">{children}</article>
        <PageTurn />
      </main>
    </div>
  )
}

/** Returns the menu groups for one part of the guide. The first group has the part's label. */
function groupsOf(part: string, groups: readonly GuideGroup[]): MenuGroupProps[] {
  return groups.map(({ title, pages }, index) =>
    index === 0 ? { title, part, pages } : { title, pages },
  )
}
