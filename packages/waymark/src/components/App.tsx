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

/** The pages after the app has changed the address of the current page. */
export type MovedPages = Pages & {
  /** The pages that these pages replace. Once React shows others, the change is over. */
  readonly base: Pages
}

/** The latest pages, and the latest change of the current page's address. */
export type PagesState = readonly [Pages, (MovedPages | undefined)?]

export type PagesStore = {
  readonly initial: Pages
  /** Registers the function that makes React render other pages. */
  attach(set: (state: PagesState) => void): void
  /** @param deferred `pages` without a change of the address */
  onCommit(pages: Pages, deferred: Pages): void
  onReady(): void
}

/**
 * Root component in browsers. Pages are shown as a deferred value, not in a transition, because a
 * transition would also wait for the app's actions. A hanging action would then block every
 * navigation. A new address of the current page isn't deferred, because a field that shows a search
 * parameter would lose its caret, and typed letters, if React rendered its old value first.
 */
export function App({
  store,
  internals,
}: {
  store: PagesStore
  internals: RouterInternals
}): ReactNode {
  const [[latest, moved], setState] = useState<PagesState>([store.initial])
  const base = useDeferredValue(latest)
  const pages = moved?.base === base ? moved : base
  useLayoutEffect(() => store.attach(setState), [store])
  useLayoutEffect(() => store.onCommit(pages, base))
  useEffect(store.onReady)
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
