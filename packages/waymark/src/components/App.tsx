import {
  type ReactNode,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { Payload } from '../wire/payload.ts'
import { PagesContext, RouterContext, type RouterInternals } from './routerContext.ts'
import { PageRoot } from './Slot.tsx'

/** The pages of a document: the one that is shown, and hidden ones for going back. */
export type Pages = { readonly current: Payload; readonly previous: readonly Payload[] }

export type PagesStore = {
  readonly initial: Pages
  /** Takes the function that has React render pages. */
  attach(set: (pages: Pages) => void): void
  onCommit(pages: Pages): void
  onReady(): void
}

/**
 * Pages come as a deferred value: a transition would wait for actions of the app, too, and one that
 * hangs would block every navigation.
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
  useLayoutEffect(() => store.onCommit(pages), [store, pages])
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
