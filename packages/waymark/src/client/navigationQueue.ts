import { idle, type NavigationOutcome } from '../components/navigationStore.ts'
import type { TouchedFields } from './navigation/formFields.ts'
import { markPending } from './navigation/pendingLink.ts'
import type { Loader, NavigationQueue } from './runtime.ts'

export type NavigationQueueOptions = {
  readonly loader: Pick<Loader, 'router' | 'start' | 'document'>
  readonly fields: TouchedFields
  /** Silence after which the browser goes to the target itself. */
  readonly timeoutMs: number
}

const never = new Promise<void>(() => {})

/**
 * Queues navigations requested before the router has loaded, with the signs of one that is
 * running, and hands them over once it has. When the router can't be loaded in time, the browser
 * loads the document; not from a page where something was typed.
 */
export function createNavigationQueue(options: NavigationQueueOptions): NavigationQueue {
  return (to, navigate) => {
    const router = options.loader.router()
    return router ? navigate(router) : wait(to, navigate, options)
  }
}

function wait(
  { url, link = null }: Parameters<NavigationQueue>[0],
  navigate: Parameters<NavigationQueue>[1],
  { loader, fields, timeoutMs }: NavigationQueueOptions,
): Promise<NavigationOutcome> {
  const store = loader.document()?.store
  const unmark = markPending(link, never)
  return new Promise((resolve) => {
    let isOver = false
    let isTimedOut = false
    const stop = () => {
      clearTimeout(timer)
      unmark()
      if (!isOver) store?.set(idle)
      isOver = true
    }
    const leave = (outcome: NavigationOutcome) => {
      if (isOver) return
      stop()
      resolve(outcome)
      // One that runs a script is for the router to refuse.
      if (/^http/.test(url.protocol)) location.assign(url)
    }
    const timer = setTimeout(() => {
      isTimedOut = true
      if (fields.changed().length === 0) leave('timed-out')
    }, timeoutMs)
    const cancel = () => {
      stop()
      resolve(isTimedOut ? 'timed-out' : 'canceled')
    }
    store?.set({ state: 'loading', target: url, cancel, retry() {} })
    loader.start().then(
      (router) => {
        if (isOver) return
        stop()
        resolve(navigate(router))
      },
      () => leave('document'),
    )
  })
}
