import type { ReactNode } from 'react'
import '../_styles/prose.css'
import type { Language } from '../_ui/language.ts'
import type { MenuGroupProps } from '../_ui/menuGroup.tsx'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import { SectionMenu } from '../_ui/sectionMenu.tsx'
import shell from '../_ui/shell.module.css'
import { groupText, menuPage } from './_ui/german.ts'
import { type GuideGroup, learningPath, topicGroups } from './_ui/pages.ts'
import { PageTurn } from './_ui/pageTurn.tsx'

const texts = {
  en: { label: 'Guide', opener: 'Contents of the guide', learn: 'Learn', topics: 'Topics' },
  de: { label: 'Handbuch', opener: 'Inhalt des Handbuchs', learn: 'Lernen', topics: 'Themen' },
}

export default function GuideLayout({ children }: { children: ReactNode }) {
  const language = pageLanguage()
  const { label, opener, learn, topics } = texts[language]
  const menu = [
    ...groupsOf(learn, learningPath, language),
    ...groupsOf(topics, topicGroups, language),
  ]
  return (
    <div className={shell.shell}>
      <SectionMenu label={label} opener={opener} index="/guide" groups={menu} />
      <main id="page" tabIndex={-1} className={shell.main}>
        <article className="prose">{children}</article>
        <PageTurn />
      </main>
    </div>
  )
}

/** Returns the menu groups for one part of the guide. The first group has the part's label. */
function groupsOf(
  part: string,
  groups: readonly GuideGroup[],
  language: Language,
): MenuGroupProps[] {
  return groups.map((group, index) => {
    const title = groupText(group.title, language)
    const pages = group.pages.map((page) => menuPage(page, language))
    return index === 0 ? { title, part, pages } : { title, pages }
  })
}
