import { createElement, type ReactElement, type ReactNode } from 'react'
import { RenderContext } from './routerContext.ts'

/** The values that `usePathname()`, `useParams()` and similar hooks return in a page. */
export type ShownRoute = {
  readonly pathname: string
  /** With its `?`; empty without a query. */
  readonly search: string
  readonly params: Readonly<Record<string, string | readonly string[]>>
}

/** Wraps components, so that hooks of Waymark find a page around them without an app. */
export function pageElement(route: ShownRoute, children: ReactNode): ReactElement {
  const page = { tree: { key: '' }, route, head: null, segments: {} }
  return createElement(RenderContext, { value: { page, segment: null } }, children)
}
