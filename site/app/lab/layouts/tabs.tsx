import type { ReactNode } from 'react'
import { SectionLink } from '../../_ui/sectionLink.tsx'

const pages = [
  ['/lab/layouts', 'Index'],
  ['/lab/layouts/one', 'One'],
  ['/lab/layouts/two', 'Two'],
] as const

/** Links between the pages of the experiment. */
export function Tabs(): ReactNode {
  return (
    <nav className="controls" aria-label="Pages of the experiment">
      {pages.map(([href, title]) => (
        <SectionLink key={href} href={href} exact className="button">
          {title}
        </SectionLink>
      ))}
    </nav>
  )
}
