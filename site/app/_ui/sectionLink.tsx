'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { usePathname } from 'waymark/client'
import { type Language, languageOf, linkTo } from './language.ts'

type SectionLinkProps = {
  /** URL of the English page. */
  href: string
  /** True to mark the link as current on its own page only, not on pages below that URL. */
  exact?: boolean
  /** Language of the text, if it isn't the language of the page. */
  lang?: Language | undefined
  className?: string | undefined
  children: ReactNode
}

/** A link with `aria-current` if the current page is the link's target or below it. */
export function SectionLink({
  href,
  exact,
  lang,
  className,
  children,
}: SectionLinkProps): ReactNode {
  const pathname = usePathname()
  const target = linkTo(href, languageOf(pathname))
  const isBelow = !exact && pathname.startsWith(`${target.href}/`)
  const current = pathname === target.href ? 'page' : isBelow ? 'true' : undefined
  return (
    <Link {...target} lang={lang} className={className} aria-current={current}>
      {children}
    </Link>
  )
}
