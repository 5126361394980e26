import type { LinkProps } from 'waymark'
import type { LocalHref } from './localHref.ts'
import type { Locale } from './types.ts'

export type LocalLinkProps = Omit<LinkProps, 'href'> & {
  /** Path without a language: `/about`, or `{ pathname: '/posts/[slug]', params: { slug } }`. */
  readonly href: LocalHref
  /** Language of the target. Default: the language of the page */
  readonly locale?: Locale | undefined
}

/**
 * Returns the attributes of a link to a different language. It loads a document, so that nothing in
 * the language before stays on the screen.
 */
export function documentLink(target: string, current: string): object {
  return target === current ? {} : { hrefLang: target, 'data-waymark-document': '' }
}
