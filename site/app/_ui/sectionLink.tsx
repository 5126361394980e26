'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { usePathname } from 'waymark/client'

type SectionLinkProps = {
  href: string
  /** Only its own page counts, not those below. */
  exact?: boolean
  className?: string | undefined
  children: ReactNode
}

/** A link that says whether the page shown is its own, or one below it. */
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
