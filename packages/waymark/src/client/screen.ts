import { flushSync } from 'react-dom'
import type { Pages, Screen } from './app.tsx'
import type { Page } from './navigation/page.ts'

/** The screen with its controls. */
export type RouterScreen = Screen & {
  /** Puts a page on the screen. @returns once it is there, or `signal` aborts */
  show(page: Page, signal: AbortSignal): Promise<void>
}

/**
 * Makes the screen. Pages are shown in one synchronous step, not in a React transition: React
 * lets transitions wait for each other, and a hanging action would hold every navigation.
 * @param leftPages pages to be kept for going back
 */
export function createScreen(initial: Page, leftPages: () => readonly Page[]): RouterScreen {
  let set: (pages: Pages) => void = () => {}
  let shown: Pages = { shown: initial, left: [] }
  let waiting: { readonly pages: Pages; readonly done: () => void } | null = null

  return {
    initial: shown,
    attach(setPages) {
      set = setPages
    },
    onShown(pages) {
      shown = pages
      if (waiting?.pages === pages) waiting.done()
    },
    onReady() {},
    async show(page, signal) {
      const left = [...leftPages(), shown.shown as Page]
      const pages = { shown: page, left: left.filter((each) => each !== page) }
      const done = new Promise<void>((resolve) => {
        waiting = { pages, done: resolve }
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      await inViewTransition(() => flushSync(() => set(pages)))
      await done
      // What was given up must not come up later.
      if (signal.aborted && shown !== pages) set(shown)
    },
  }
}

type Transitioning = {
  startViewTransition?(update: () => void): { updateCallbackDone: Promise<void> }
}

async function inViewTransition(update: () => void): Promise<void> {
  const { startViewTransition } = document as Transitioning
  const isWanted =
    document.documentElement.hasAttribute('data-view-transitions') &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!startViewTransition || !isWanted) return update()
  await startViewTransition.call(document, update).updateCallbackDone
}
