'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { usePathname } from 'waymark/client'

type SectionLinkProps = {
  href: string
  /** True to mark the link as current on its own page only, not on pages below that URL. */
  exact?: boolean
  className?: string | undefined
  children: ReactNode
}

/** A link with `aria-current` if the current page is the link's target or below it. */
export function SectionLink({ href, exact, className, children }: SectionLinkProps): ReactNode {
  const pathname = usePathname()
  const isBelow = !exact && pathname.startsWith(`${href}/`)
  const current = pathname === href ? 'page' : isBelow ? 'true' : undefined
  return (
    <Link href={href} className={className} aria-current={current}>
      {children}
    </Link>
  )
}
