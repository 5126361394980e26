import type { HrefParts, Query } from '../routing/href.ts'
import type { ParamsOf, QueryOf, RoutePattern } from '../shared/appRoutes.ts'

type PlainQuery = Query | URLSearchParams

/** The parts of a URL that leads to one route: all of its params, and a query that it takes. */
export type RouteHrefOf<Pattern extends string> = {
  readonly pathname: Pattern
  readonly query?: QueryOf<Pattern, PlainQuery> | undefined
  readonly hash?: string | undefined
} & (Partial<ParamsOf<Pattern>> extends ParamsOf<Pattern>
  ? { readonly params?: LinkParams<ParamsOf<Pattern>> | undefined }
  : { readonly params: LinkParams<ParamsOf<Pattern>> })

/** Numbers are written as text. */
type LinkParams<Params> = {
  readonly [Name in keyof Params]: Params[Name] extends string ? string | number : Params[Name]
}

/** The parts of a URL of the app; without a pathname, of the page one is on. */
export type RouteHref = string extends RoutePattern
  ? HrefParts
  :
      | { [Pattern in RoutePattern]: RouteHrefOf<Pattern> }[RoutePattern]
      | (Pick<HrefParts, 'query' | 'hash'> & { readonly pathname?: undefined })
