import {
  type ReactNode,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { Payload } from '../shared/payload.ts'
import { PageRoot } from './PageRoot.tsx'
import { PagesContext, RouterContext, type RouterInternals } from './routerContext.ts'

/** The pages that a document holds. */
export type Pages = { readonly shown: Payload; readonly left: readonly Payload[] }

/** What stands between the router and React. */
export type Screen = {
  readonly initial: Pages
  /** Gives the router the function that puts pages on the screen. */
  attach(set: (pages: Pages) => void): void
  /** Called when pages are on the screen. */
  onShown(pages: Pages): void
  /** Called once React has taken over the document. */
  onReady(): void
}

/**
 * The running application: the pages that the router has chosen.
 *
 * They come as a deferred value: while a page still waits for its data the one before stays, and
 * can be used. A transition would do the same, but React lets it wait for actions of the app, so
 * that one which hangs would hold every navigation.
 */
export function App({ screen, parts }: { screen: Screen; parts: RouterInternals }): ReactNode {
  const [chosen, choose] = useState(screen.initial)
  const pages = useDeferredValue(chosen)
  useLayoutEffect(() => screen.attach(choose), [screen])
  useLayoutEffect(() => screen.onShown(pages), [screen, pages])
  useEffect(() => screen.onReady(), [screen])
  return useMemo(
    () => (
      <RouterContext value={parts}>
        <PagesContext value={[pages.shown, ...pages.left]}>
          <PageRoot page={pages.shown} />
        </PagesContext>
      </RouterContext>
    ),
    [parts, pages],
  )
}
