import type { ReactNode } from 'react'
import { SectionLink } from '../../_ui/sectionLink.tsx'

type TabsProps = { pages: readonly { readonly href: string; readonly title: string }[] }

/** Links to the pages of one experiment. */
export function Tabs({ pages }: TabsProps): ReactNode {
  return (
    <nav className="controls" aria-label="Pages of the experiment">
      {pages.map(({ href, title }) => (
        <SectionLink key={href} href={href} exact className="button">
          {title}
        </SectionLink>
      ))}
    </nav>
  )
}
