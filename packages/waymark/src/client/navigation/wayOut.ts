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
  offerFailed(url: URL, signal: AbortSignal, choices: FailedChoices): Promise<void>
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

  function hide(): void {
    clearTimeout(timer)
    board.hide()
  }
  const choosing = (act: () => void) => () => {
    hide()
    act()
  }
  const leavingFor = (url: URL, leave: () => void) =>
    choosing(() => {
      leave()
      view.location.assign(url)
    })

  return {
    hide,
    clear() {
      hide()
      retryMs = firstRetryMs
    },
    offerLate(url, { wait, leave, cancel }) {
      board.show({
        text: 'This page is taking longer than usual.',
        actions: [
          { label: 'Keep waiting', run: choosing(wait) },
          { label: 'Reload', run: leavingFor(url, leave) },
          { label: 'Cancel', run: choosing(cancel) },
        ],
      })
      // What was typed is not given up for a person who looks away.
      if (!hasDirtyForm(view.document)) timer = setTimeout(leavingFor(url, leave), unattendedMs)
    },
    async offerFailed(url, signal, { retry, leave, cancel }) {
      const isThere = await isReachable(url, signal)
      if (signal.aborted) return
      const open = leavingFor(url, leave)
      if (isThere && !hasDirtyForm(view.document)) return open()
      const again = choosing(retry)
      const actions = [{ label: 'Cancel', run: choosing(cancel) }]
      if (isThere)
        board.show({ text: anewText, actions: [{ label: 'Open it', run: open }, ...actions] })
      else {
        const text = view.navigator.onLine ? failedText : offlineText
        board.show({ text, actions: [{ label: 'Retry', run: again }, ...actions] })
        timer = setTimeout(again, retryMs)
        retryMs = Math.min(retryMs * 2, longestRetryMs)
        view.addEventListener('online', again, { once: true, signal })
      }
    },
  }
}

const anewText = 'This page can only be opened anew. What you have typed here would be lost.'
const failedText = 'This page could not be loaded. Trying again shortly.'
const offlineText = 'You are offline. The page will be loaded when you are back.'
