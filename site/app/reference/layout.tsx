import type { ReactNode } from 'react'
import '../_styles/prose.css'
import { referenceTexts } from '../_ui/pageTexts.ts'
import { SectionMenu } from '../_ui/sectionMenu.tsx'
import shell from '../_ui/shell.module.css'

export default function ReferenceLayout({ children }: { children: ReactNode }) {
  const pages = referenceTexts().map(({ href, title }) => ({ href, title }))
  return (
    <div className={shell.shell}>
      <SectionMenu
        label="Reference"
        opener="Contents of the reference"
        index="/reference"
        groups={[{ title: 'Entries', pages }]}
      />
      <main id="page" tabIndex={-1} className={shell.main}>
        <article className="prose">{children}</article>
      </main>
    </div>
  )
}
