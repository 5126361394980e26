import type { ReactNode } from 'react'
import { Link as PlainLink } from 'waymark'
import { localize } from '../shared/localHref.ts'
import { documentLink, type LocalLinkProps } from '../shared/localLink.ts'
import { currentLocale, paths } from './state.ts'

/** The `Link` of `index.ts` for server components. The browser gets a plain anchor. */
export function Link({ href, locale, ...props }: LocalLinkProps): ReactNode {
  const current = currentLocale('<Link>')
  const target = locale ?? current
  return (
    <PlainLink
      {...props}
      {...documentLink(target, current)}
      href={localize(href, target, paths) as never}
    />
  )
}
