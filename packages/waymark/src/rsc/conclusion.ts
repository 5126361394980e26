import type { ReactNode } from 'react'
import type { PayloadOutcome } from '../shared/payload.ts'
import { loadReplacement, type Replacement } from './fallbacks.ts'
import type { Head } from './head.ts'
import type { Decision } from './outcome.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import type { RouteFile } from './routeModules.ts'
import { themeOfRoute } from './routeTheme.ts'
import type { Place, RenderedSegments } from './segments.ts'

/** What a page comes to once its deciders have spoken. */
export type Conclusion = {
  readonly decision: Decision
  /** Of a page that failed. */
  readonly replacement: Replacement | null
  readonly outcome: PayloadOutcome
}

/** A page as far as it was rendered without knowing how it ends. */
export type OpenPage = {
  readonly page: PageRequest
  readonly app: PageApp
  readonly fileOf: (path: string) => RouteFile
  readonly rendered: RenderedSegments
  readonly head: Head | Promise<Head>
  /** Of the route's own files; `null` for the app's default. */
  readonly ownDeadlineMs: number | null
}

/** Draws the conclusion from a decision: the page as it is, or with a screen in place of a part. */
export function conclude(decision: Decision, open: OpenPage): Conclusion | Promise<Conclusion> {
  const { page, app, rendered, head } = open
  const { pathname, search } = page.shown
  const route = { pathname, search, params: page.match.params }
  switch (decision.kind) {
    case 'page': {
      // A head that is still awaited is a node like any other: React waits for it.
      const theme = insistedTheme(open, null)
      const outcome = { tree: rendered.tree, head: head as ReactNode, route, ...theme }
      return { decision, replacement: null, outcome }
    }
    case 'redirect':
      return { decision, replacement: null, outcome: { tree: { key: '' }, head: null, route } }
    case 'fallback':
    case 'error':
      return loadReplacement(decision, rendered, page, app).then((replacement) => ({
        decision,
        replacement,
        outcome: {
          ...replacement.outcome,
          route,
          ...(replacement.place ? insistedTheme(open, replacement.place) : {}),
        },
      }))
  }
}

function insistedTheme(
  { page, app, fileOf }: OpenPage,
  screen: Place | null,
): Pick<PayloadOutcome, 'theme'> {
  const theme = themeOfRoute(page.match.root, { fileOf, isTheme: app.theme.isTheme }, screen)
  return theme === null ? {} : { theme }
}
