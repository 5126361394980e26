import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import '../_styles/prose.css'
import './_ui/lab.css'
import { pageLanguage } from '../_ui/pageLanguage.ts'
import { SectionMenu } from '../_ui/sectionMenu.tsx'
import shell from '../_ui/shell.module.css'
import { germanGroups } from './_ui/germanGroups.ts'
import { labGroups } from './_ui/pages.ts'

const texts = {
  en: { label: 'Lab', opener: 'Contents of the lab', site: 'Waymark lab', groups: labGroups },
  de: { label: 'Labor', opener: 'Inhalt des Labors', site: 'Waymark-Labor', groups: germanGroups },
}

export function generateMetadata(): Metadata {
  const { label, site } = texts[pageLanguage()]
  return { title: { template: `%s · ${site}`, default: label } }
}

export default function LabLayout({ children }: { children: ReactNode }) {
  const { label, opener, groups } = texts[pageLanguage()]
  return (
    <div className={shell.shell}>
      <SectionMenu label={label} opener={opener} index="/lab" groups={groups} />
      <main id="page" tabIndex={-1} className={shell.main}>
        <div className="prose lab">{children}</div>
      </main>
    </div>
  )
}
