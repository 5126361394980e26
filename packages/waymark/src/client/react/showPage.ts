import { startTransition } from 'react'
import type { Pages } from '../../components/App.tsx'
import { DocumentNeeded } from '../navigation/navigationErrors.ts'
import type { Page } from '../navigation/page.ts'
import type { RootStore } from './rootStore.ts'

/** The screen, as the router uses it. */
export type PageView = {
  /**
   * Puts a page on the screen.
   * @returns once it is there, or `signal` aborts
   * @throws DocumentNeeded when React has not taken over the document
   */
  show(page: Page, signal: AbortSignal): Promise<void>
  /**
   * Shows the page that is there, rendered anew, together with what React's pending actions end
   * in; when they take too long, before them.
   * @returns false while another page is about to be shown
   */
  renew(page: Page): boolean
}

/**
 * @param leftPages pages to be kept for going back
 * @param timeoutMs React lets actions wait for each other: what one has changed is shown after
 *   this at the latest
 */
export function createPageView(
  stage: RootStore,
  leftPages: () => readonly Page[],
  timeoutMs: number,
): PageView {
  let waiting: { readonly pages: Pages; readonly done: () => void } | null = null
  stage.follow((pages) => {
    if (waiting?.pages !== pages) return
    waiting.done()
    waiting = null
  })

  return {
    async show(page, signal) {
      if (!stage.isOpen) await Promise.race([stage.hydrated, pause(hydrationMs)])
      // Code that it waits for can't be had, it may be: the HTML of a document needs none.
      if (!stage.isOpen) throw new DocumentNeeded('React has not taken over the document.')
      const left = [...leftPages(), stage.shown.shown as Page]
      const pages = { shown: page, left: left.filter((each) => each !== page && !each.isShell) }
      const before = stage.latest
      const done = new Promise<void>((resolve) => {
        waiting = { pages, done: resolve }
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      inViewTransition(() => stage.give(pages), done)
      await done
      if (!signal.aborted || stage.shown === pages || waiting?.pages !== pages) return
      // What was given up must not come up later.
      waiting = null
      stage.give(before)
    },
    renew(page) {
      if (!stage.isOpen || waiting) return false
      const pages = { shown: page, left: leftPages() }
      startTransition(() => stage.give(pages))
      setTimeout(() => {
        if (stage.latest === pages && stage.shown !== pages) stage.give(pages)
      }, timeoutMs)
      return true
    },
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

type Transitioning = {
  startViewTransition?(update: () => Promise<void>): { finished: Promise<void> }
}

/** How long a page that is fetched waits for React to take over the document. */
const hydrationMs = 1000

/** The browser paints nothing while it waits for the update. */
const longestPauseMs = 200

function inViewTransition(update: () => void, done: Promise<void>): void {
  const { startViewTransition } = document as Transitioning
  const isWanted =
    document.documentElement.hasAttribute('data-view-transitions') &&
    !matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!startViewTransition || !isWanted) {
    update()
    return
  }
  const transition = startViewTransition.call(document, () => {
    update()
    return Promise.race([done, pause(longestPauseMs)])
  })
  // One that is skipped, by the next or in a hidden tab, still shows its page.
  transition.finished.catch(() => {})
}
