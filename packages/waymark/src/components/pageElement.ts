import { createElement, type ReactElement, type ReactNode } from 'react'
import { RenderContext } from './routerContext.ts'

/** The values that `usePathname()`, `useParams()` and similar hooks return. */
export type CurrentRoute = {
  readonly pathname: string
  /** Query that starts with `?`. Empty if the URL has no query. */
  readonly search: string
  readonly params: Readonly<Record<string, string | readonly string[]>>
}

/** Wraps components in a page, so that Waymark's hooks work without an app, as in unit tests. */
export function pageElement(route: CurrentRoute, children: ReactNode): ReactElement {
  const page = { tree: { key: '' }, route, head: null, segments: {} }
  return createElement(RenderContext, { value: { page, segment: null } }, children)
}
