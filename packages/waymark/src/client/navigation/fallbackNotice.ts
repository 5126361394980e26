import { navigation } from 'virtual:waymark/navigation'
import type { NoticeTexts } from '../../screens/screenTexts.ts'
import { documentLocale } from '../document/documentLocale.ts'
import { checkReachable, type Reachability } from './documentNavigation.ts'
import { createNoticeBoard, type NoticeBoard } from './notice.ts'

/** What the user can choose when a navigation has timed out. */
export type TimeoutChoices = {
  wait(): void
  leave(): void
  cancel(): void
  /** The notice was left alone: the navigation is treated as one that failed. */
  giveUp(): void
}

/** What the user can choose when a navigation has failed. */
export type FailedChoices = { retry(): void; leave(): void; cancel(): void }

/** A notice for a navigation that does not arrive, with the choices that are left. */
export type FallbackNotice = {
  offerTimeout(choices: TimeoutChoices): void
  /** Only a document leads on: it is opened at once, unless something was typed. */
  offerDocument(choices: Omit<FailedChoices, 'retry'>): void
  offerRetry(url: URL, choices: FailedChoices): Promise<void>
  /** The navigation is over. */
  clear(): void
}

const firstRetryMs = 1000
const longestRetryMs = 15_000

/**
 * Creates the notice of a window's navigations, in the document's language.
 * @param isDirty whether leaving the document would lose what was typed
 */
export function createFallbackNotice(view: Window, isDirty: () => boolean): FallbackNotice {
  const locale = documentLocale()
  const texts = locale.texts.notices
  const board = createNoticeBoard(view.document, locale)
  let retryMs = firstRetryMs
  const { begin, choice } = createSession(board)

  return {
    clear() {
      begin()
      board.hide()
      retryMs = firstRetryMs
    },
    offerTimeout({ wait, leave, cancel, giveUp }) {
      const signal = begin()
      board.show({
        text: texts.slow,
        actions: [
          choice(texts.keepWaiting, wait),
          choice(texts.reload, leave),
          choice(texts.cancel, cancel),
        ],
      })
      // What was typed is not given up while the user looks away.
      if (!isDirty()) after(navigation.unattendedMs, signal, giveUp)
    },
    offerDocument({ leave, cancel }) {
      begin()
      const actions = [choice(texts.open, leave), choice(texts.cancel, cancel)]
      if (isDirty()) board.show({ text: texts.needsReload, actions })
      else leave()
    },
    async offerRetry(url, { retry, leave, cancel }) {
      const signal = begin()
      const reach = await checkReachable(url, signal)
      if (signal.aborted) return
      const open = choice(texts.open, leave)
      if (reach === 'ok' && !isDirty()) return open.run()
      board.show({
        text: textOf(reach, view.navigator.onLine, texts),
        actions: [
          ...(reach === 'ok' ? [open] : []),
          choice(texts.retry, retry),
          choice(texts.cancel, cancel),
        ],
      })
      if (reach !== 'unreachable') return
      // What tries by itself leaves the notice as it is: it would flicker.
      after(retryMs, signal, retry)
      retryMs = Math.min(retryMs * 2, longestRetryMs)
      view.addEventListener('online', retry, { once: true, signal })
    },
  }
}

/** The notice that is shown: its timers and requests end with it. */
function createSession(board: NoticeBoard) {
  let session = new AbortController()
  function begin(): AbortSignal {
    session.abort()
    session = new AbortController()
    return session.signal
  }
  const choose = (act: () => void) => {
    begin()
    board.hide()
    act()
  }
  return { begin, choice: (label: string, act: () => void) => ({ label, run: () => choose(act) }) }
}

function after(ms: number, signal: AbortSignal, act: () => void): void {
  const timer = setTimeout(act, ms)
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

function textOf(reach: Reachability, isOnline: boolean, texts: NoticeTexts): string {
  switch (reach) {
    case 'ok':
      return texts.needsReload
    case 'redirect-loop':
      return texts.redirectLoop
    case 'unreachable':
      return isOnline ? texts.failed : texts.offline
  }
}
