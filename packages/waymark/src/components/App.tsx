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

export type PagesStore = {
  readonly initial: Pages
  /**
   * Registers the functions that make React render other pages, and the current page at another
   * address.
   */
  attach(set: (pages: Pages) => void, move: (pages: MovedPages) => void): void
  /** @param base `pages` without a change of the address */
  onCommit(pages: Pages, base: Pages): void
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
  const [chosen, choose] = useState(store.initial)
  const [moved, move] = useState<MovedPages | null>(null)
  const base = useDeferredValue(chosen)
  const pages = moved?.base === base ? moved : base
  useLayoutEffect(() => store.attach(choose, move), [store])
  useLayoutEffect(() => store.onCommit(pages, base), [store, pages, base])
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
