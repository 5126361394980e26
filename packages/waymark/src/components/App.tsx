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

/** The mounted pages: the current one, and hidden ones for going back. */
export type Pages = { readonly current: Payload; readonly previous: readonly Payload[] }

export type PagesStore = {
  readonly initial: Pages
  /** Registers the function with which React is made to render other pages. */
  attach(set: (pages: Pages) => void): void
  onCommit(pages: Pages): void
  onReady(): void
}

/**
 * Root component in browsers. A page is a deferred value, not part of a transition: a transition
 * would also wait for the app's actions, so a hanging action would block every navigation.
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
