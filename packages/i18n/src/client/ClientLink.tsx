'use client'

import type { ReactNode } from 'react'
import { Link as PlainLink } from 'waymark'
import { localize } from '../shared/localHref.ts'
import { documentLink, type LocalLinkProps } from '../shared/localLink.ts'
import { useLocale } from './clientHooks.ts'
import { clientPaths } from './clientPaths.ts'

/** A link to a page without its language in `href`. The link adds the language. */
export function Link({ href, locale, ...props }: LocalLinkProps): ReactNode {
  const current = useLocale()
  const target = locale ?? current
  return (
    <PlainLink
      {...props}
      {...documentLink(target, current)}
      href={localize(href, target, clientPaths) as never}
    />
  )
}
