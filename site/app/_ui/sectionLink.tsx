'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { usePathname } from 'waymark/client'

type SectionLinkProps = { href: string; className?: string | undefined; children: ReactNode }

/** A link that says whether the page shown is its own, or one below it. */
export function SectionLink({ href, className, children }: SectionLinkProps): ReactNode {
  const pathname = usePathname()
  const current = pathname === href ? 'page' : pathname.startsWith(`${href}/`) ? 'true' : undefined
  return (
    <Link href={href} className={className} aria-current={current}>
      {children}
    </Link>
  )
}
