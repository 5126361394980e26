import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { type HrefParts, hrefOf } from '../routing/href.ts'
import type { CheckedHref } from '../shared/appRoutes.ts'
import { checkedHref } from '../shared/linkTarget.ts'
import type { RouteHref } from './routeHref.ts'

/** Attributes of an anchor, and how a click on it navigates. */
export type LinkProps<Given extends string = string> = Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'href'
> & {
  /** A URL, or the parts of one. */
  readonly href: CheckedHref<Given> | RouteHref
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
 * clicks on all of them, so that a page full of links costs nothing to hydrate. A target that runs
 * scripts or names another site as `//host` goes nowhere, and is told of (`LINK_TARGET`).
 */
export function Link<const Given extends string>({
  href,
  replace,
  scroll,
  prefetch,
  ...attributes
}: LinkProps<Given>): ReactNode {
  return (
    <a
      {...attributes}
      href={checkedHref(typeof href === 'string' ? href : hrefOf(href as HrefParts))}
      data-replace={replace ? '' : undefined}
      data-scroll={scroll === false ? 'keep' : undefined}
      data-prefetch={prefetch === false ? 'none' : undefined}
    />
  )
}
