import { hasDirtyForm } from './dirtyForms.ts'
import type { NoticeBoard } from './notice.ts'
import { isReachable } from './probe.ts'

/** What a person can choose while a navigation is late. */
export type LateChoices = { wait(): void; leave(): void; cancel(): void }

/** What a person can choose when a navigation has failed. */
export type FailedChoices = { retry(): void; leave(): void; cancel(): void }

/** Shows the way out of a navigation that does not arrive. */
export type WayOut = {
  offerLate(url: URL, choices: LateChoices): void
  offerFailed(url: URL, signal: AbortSignal, choices: FailedChoices): void
  /** Takes the notice away. */
  hide(): void
  /** The navigation is over. */
  clear(): void
}

/** How long a notice stands unattended before the browser is sent to the target itself. */
const unattendedMs = 5000
const firstRetryMs = 1000
const longestRetryMs = 15_000

/** Makes the way out of a window. */
export function createWayOut(view: Window, board: NoticeBoard): WayOut {
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryMs = firstRetryMs

  function clear(): void {
    clearTimeout(timer)
    board.hide()
  }
  function reset(): void {
    clear()
    retryMs = firstRetryMs
  }
  function choosing(act: () => void): () => void {
    return () => {
      clear()
      act()
    }
  }
  function leaveFor(url: URL, leave: () => void): void {
    clear()
    leave()
    view.location.assign(url)
  }

  return {
    hide: clear,
    clear: reset,
    offerLate(url, { wait, leave, cancel }) {
      const isTyped = hasDirtyForm(view.document)
      board.show({
        text: 'This page is taking longer than usual.',
        actions: [
          { label: 'Keep waiting', run: choosing(wait) },
          { label: 'Reload', run: () => leaveFor(url, leave) },
          { label: 'Cancel', run: choosing(cancel) },
        ],
      })
      if (!isTyped) timer = setTimeout(() => leaveFor(url, leave), unattendedMs)
    },
    async offerFailed(url, signal, { retry, leave, cancel }) {
      const reachable = await isReachable(url, signal)
      if (signal.aborted) return
      const isTyped = hasDirtyForm(view.document)
      if (reachable && !isTyped) {
        leaveFor(url, leave)
        return
      }
      const again = choosing(retry)
      const giveUp = { label: 'Cancel', run: choosing(cancel) }
      if (reachable) {
        board.show({
          text: 'This page can only be opened anew. What you have typed here would be lost.',
          actions: [{ label: 'Open it', run: () => leaveFor(url, leave) }, giveUp],
        })
        return
      }
      board.show({
        text: view.navigator.onLine
          ? 'This page could not be loaded. Trying again shortly.'
          : 'You are offline. The page will be loaded when you are back.',
        actions: [{ label: 'Retry', run: again }, giveUp],
      })
      timer = setTimeout(again, retryMs)
      retryMs = Math.min(retryMs * 2, longestRetryMs)
      view.addEventListener('online', again, { once: true, signal })
    },
  }
}
