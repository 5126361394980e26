import type { ComponentProps, ReactNode } from 'react'
import { linkTo } from './language.ts'
import { pageLanguage } from './pageLanguage.ts'

/** A link in an MDX file. Its target is the URL of an English page, and the link keeps the language. */
export function ContentLink({ href = '', ...props }: ComponentProps<'a'>): ReactNode {
  return <a {...props} {...(href.startsWith('/') ? linkTo(href, pageLanguage()) : { href })} />
}
