import { idle, type NavigationOutcome } from '../components/navigationStore.ts'
import type { TouchedFields } from './navigation/formFields.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import { markPending } from './navigation/pendingLink.ts'
import type { HydratedDocument, RouterCore } from './routerCore.ts'

/**
 * Asks the router to take a person somewhere, as soon as there is one.
 * @param to where that leads, and by which link
 */
export type NavigationQueue = (
  to: Pick<NavigationRequest, 'url' | 'link'>,
  ask: (router: RouterCore) => Promise<NavigationOutcome>,
) => Promise<NavigationOutcome>

/** What leads to the router, and from there to the page. */
export type NavigationQueueOptions = {
  readonly running: () => RouterCore | null
  /** Loads it. */
  readonly router: () => Promise<RouterCore>
  /** What React has taken over. */
  readonly taken: () => HydratedDocument | null
  readonly fields: TouchedFields
  /** Silence after which the browser goes there itself. */
  readonly timeoutMs: number
}

const never = new Promise<void>(() => {})

/**
 * Makes it. A navigation that was asked for before there is a router is held, with the signs of
 * one that is running, and is the first that the router hears of. When that can't be had, or is
 * late, the browser loads the document; by itself not from a page where something was typed.
 */
export function createNavigationQueue(options: NavigationQueueOptions): NavigationQueue {
  return (to, ask) => {
    const router = options.running()
    return router ? ask(router) : hold(to, ask, options)
  }
}

function hold(
  { url, link = null }: Parameters<NavigationQueue>[0],
  ask: Parameters<NavigationQueue>[1],
  options: NavigationQueueOptions,
): Promise<NavigationOutcome> {
  const store = options.taken()?.store
  const unmark = markPending(link, never)
  return new Promise((resolve) => {
    let isOver = false
    const over = () => {
      clearTimeout(late)
      unmark()
      if (!isOver) store?.set(idle)
      isOver = true
    }
    const end = (outcome: NavigationOutcome) => {
      over()
      resolve(outcome)
    }
    const leave = (outcome: NavigationOutcome) => {
      if (isOver) return
      end(outcome)
      // One that runs a script is for the router to refuse.
      if (/^http/.test(url.protocol)) location.assign(url)
    }
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      if (options.fields.changed().length === 0) leave('timed-out')
    }, options.timeoutMs)
    const cancel = () => end(isLate ? 'timed-out' : 'canceled')
    store?.set({ state: 'loading', target: url, cancel, retry() {} })
    options.router().then(
      (router) => {
        if (isOver) return
        over()
        resolve(ask(router))
      },
      () => leave('document'),
    )
  })
}
