import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import type { CheckedHref, ParamsOf, QueryOf, RoutePattern } from '../routing/appRoutes.ts'
import { type HrefParts, hrefOf, type Query } from '../routing/href.ts'
import { withBasePath } from '../shared/basePath.ts'
import { checkedHref } from '../shared/html.ts'
import { encodeLink, type LinkSettings } from './linkAttributes.ts'

export type LinkProps<Given extends string = string> = Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'href'
> &
  Partial<LinkSettings> & {
    readonly href: CheckedHref<Given> | RouteHref
    readonly ref?: Ref<HTMLAnchorElement>
  }

/**
 * A link to a page of this site. It renders a plain anchor, which costs nothing to hydrate. A
 * target that would run a script or lead to a different site (`//host`) is removed and reported as
 * `LINK_TARGET`.
 */
export function Link<const Given extends string>(props: LinkProps<Given>): ReactNode {
  const { href } = props
  const written = typeof href === 'string' ? href : hrefOf(href as HrefParts)
  const checked = checkedHref(withBasePath(written))
  return <a {...encodeLink(props)} href={checked} />
}

/**
 * Builds a URL of the app from a route's pattern, its params, a query and a fragment.
 * @returns the URL without the base path, as `<Link>` and `router.push()` expect it
 * @throws `PARAM_VALUE`, `HREF_PATHNAME`
 */
export function href(parts: RouteHref): string {
  return hrefOf(parts as HrefParts)
}

type PlainQuery = Query | URLSearchParams

/** The parts of a route's URL, with all of the route's params and a query that fits its schema. */
export type RouteHrefOf<Pattern extends string> = {
  readonly pathname: Pattern
  readonly query?: QueryOf<Pattern, PlainQuery> | undefined
  readonly hash?: string | undefined
} & (Partial<ParamsOf<Pattern>> extends ParamsOf<Pattern>
  ? { readonly params?: LinkParams<ParamsOf<Pattern>> | undefined }
  : { readonly params: LinkParams<ParamsOf<Pattern>> })

type LinkParams<Params> = {
  readonly [Name in keyof Params]: Params[Name] extends string ? string | number : Params[Name]
}

/** The parts of a URL in the app. Without a pathname, it leads to the current page. */
export type RouteHref = string extends RoutePattern
  ? HrefParts
  :
      | { [Pattern in RoutePattern]: RouteHrefOf<Pattern> }[RoutePattern]
      | (Pick<HrefParts, 'query' | 'hash'> & { readonly pathname?: undefined })
