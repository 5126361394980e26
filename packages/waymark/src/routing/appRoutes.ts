import type { ReactNode } from 'react'

/** The app's routes, by pattern. The generated file `waymark-routes.d.ts` adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: an app's file can add to an interface only
export interface AppRoutes {}

/** The app's layouts, by their folders' patterns. Generated like `AppRoutes`. */
// biome-ignore lint/suspicious/noEmptyInterface: an app's file can add to an interface only
export interface AppLayouts {}

export type AppRoute = {
  params: Record<string, string | string[] | undefined>
  /** Pathnames that the route matches. */
  href: string
  /** Module whose export `searchParams` is the query's schema. `object` if the route has none. */
  page: object
}

type IsUnknown = keyof AppRoutes extends never ? true : false

/** A route's pattern, such as `/blog/[slug]`. Any string if the app's routes are unknown. */
export type RoutePattern = IsUnknown extends true ? string : keyof AppRoutes & string

type RouteAt<Pattern> = Pattern extends keyof AppRoutes
  ? AppRoutes[Pattern] extends AppRoute
    ? AppRoutes[Pattern]
    : never
  : never

export type ParamsOf<Pattern extends string> = [RouteAt<Pattern>] extends [never]
  ? Record<string, string | string[]>
  : RouteAt<Pattern>['params']

type RoutePathname = RouteAt<keyof AppRoutes>['href']
type OutsideHref =
  | `#${string}`
  | `?${string}`
  | `${'http' | 'https'}://${string}`
  | `${'mailto' | 'tel' | 'sms'}:${string}`

/** A URL that leads to one of the app's routes or to a different site. */
export type Href = IsUnknown extends true
  ? string
  : RoutePathname | `${RoutePathname}${'?' | '#'}${string}` | OutsideHref

/** Checks a literal URL or template at compile time. Computed strings are accepted. */
export type CheckedHref<Text extends string> = MatchingHref<Text> | (Text & MatchingHref<Text>)

// The second member of the union makes the compiler infer a template type. Without it, a wrong URL
// would become `never`.
type MatchingHref<Text extends string> = Text extends Href
  ? Text
  : string extends Text
    ? Text
    : Href

type SchemaOf<Page> = Page extends { searchParams: { '~standard': { types?: infer Types } } }
  ? NonNullable<Types>
  : never

type SchemaSide<Pattern extends string, Side extends 'input' | 'output', Plain> = [
  SchemaOf<RouteAt<Pattern>['page']>,
] extends [never]
  ? Plain
  : SchemaOf<RouteAt<Pattern>['page']> extends { [Name in Side]: infer Value }
    ? Value
    : Plain

/** The `searchParams` prop of a route's page: the output of its schema, or else the plain query. */
export type SearchParamsOf<Pattern extends string> = SchemaSide<
  Pattern,
  'output',
  PlainSearchParams
>

export type PlainSearchParams = Record<string, string | string[] | undefined>

export type QueryOf<Pattern extends string, Plain> = SchemaSide<Pattern, 'input', Plain>

/**
 * Props of a page.
 *
 * @example `PageProps<'/blog/[slug]'>`
 */
export type PageProps<Pattern extends RoutePattern = RoutePattern> = {
  readonly params: Promise<ParamsOf<Pattern>>
  readonly searchParams: Promise<SearchParamsOf<Pattern>>
}

export type LayoutPattern = keyof AppLayouts extends never ? string : keyof AppLayouts & string

type LayoutAt<Pattern> = Pattern extends keyof AppLayouts
  ? AppLayouts[Pattern]
  : { params: Record<string, string | string[]>; slots: never }

/**
 * Props of a layout, including its slots.
 *
 * @example `LayoutProps<'/blog'>`
 */
export type LayoutProps<Pattern extends LayoutPattern = LayoutPattern> = {
  readonly children: ReactNode
  readonly params: Promise<LayoutAt<Pattern> extends { params: infer Params } ? Params : never>
} & {
  readonly [Slot in LayoutAt<Pattern> extends { slots: infer Slots extends string }
    ? Slots
    : never]: ReactNode
}
