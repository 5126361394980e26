import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { type HrefParts, hrefOf } from '../routing/href.ts'

/** Attributes of an anchor, and how a click on it navigates. */
export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** A URL, or the parts of one. */
  readonly href: string | HrefParts
  /** Takes the place of the current history entry. */
  readonly replace?: boolean
  /** `false` leaves the scroll position as it is. */
  readonly scroll?: boolean
  /** `false`: its page is not fetched ahead. */
  readonly prefetch?: boolean
  readonly ref?: Ref<HTMLAnchorElement>
}

/**
 * A link to a page of this site. It is a plain anchor: one listener of the document follows the
 * clicks on all of them, so that a page full of links costs nothing to hydrate.
 */
export function Link({ href, replace, scroll, prefetch, ...attributes }: LinkProps): ReactNode {
  return (
    <a
      {...attributes}
      href={typeof href === 'string' ? href : hrefOf(href)}
      data-replace={replace ? '' : undefined}
      data-scroll={scroll === false ? 'keep' : undefined}
      data-prefetch={prefetch === false ? 'none' : undefined}
    />
  )
}
