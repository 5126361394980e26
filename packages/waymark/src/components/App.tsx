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

/** The pages of a document: the one that is shown, and hidden ones for going back. */
export type Pages = { readonly current: Payload; readonly previous: readonly Payload[] }

/** Gives React the pages to render. */
export type PagesStore = {
  readonly initial: Pages
  /** Takes the function that has React render pages. */
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
 * that one which hangs would block every navigation.
 */
export function App({
  store,
  internals,
}: {
  store: PagesStore
  internals: RouterInternals
}): ReactNode {
  const [chosen, choose] = useState(store.initial)
  const pages = useDeferredValue(chosen)
  useLayoutEffect(() => store.attach(choose), [store])
  useLayoutEffect(() => store.onShown(pages), [store, pages])
  useEffect(() => store.onReady(), [store])
  return useMemo(
    () => (
      <RouterContext value={internals}>
        <PagesContext value={[pages.current, ...pages.previous]}>
          <PageRoot page={pages.current} />
        </PagesContext>
      </RouterContext>
    ),
    [internals, pages],
  )
}
