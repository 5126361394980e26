import { navigation } from 'virtual:waymark/navigation'
import type { NoticeTexts } from '../../screens/screenTexts.ts'
import { documentLocale } from '../document/documentPayload.ts'
import { checkReachable, type Reachability } from './documentNavigation.ts'
import { createNoticeBoard, type NoticeBoard } from './notice.ts'

/** What a person can choose while a navigation is late. */
export type TimeoutChoices = {
  wait(): void
  leave(): void
  cancel(): void
  /** Nobody chose: the navigation is treated as one that failed. */
  giveUp(): void
}

/** What a person can choose when a navigation has failed. */
export type FailedChoices = { retry(): void; leave(): void; cancel(): void }

/** Shows the way out of a navigation that does not arrive. */
export type FallbackNotice = {
  offerLate(choices: TimeoutChoices): void
  /** Only a document leads on: it is opened at once, unless something was typed. */
  offerDocument(choices: Omit<FailedChoices, 'retry'>): void
  offerFailed(url: URL, choices: FailedChoices): Promise<void>
  /** The navigation is over. */
  clear(): void
}

/** What a way out needs. */
export type FallbackNoticeOptions = {
  readonly view: Window
  readonly board: NoticeBoard
  /** Whether leaving the document would lose what was typed. */
  readonly isDirty: () => boolean
  /** How long a notice stands unattended before the browser is sent to the target itself. */
  readonly unattendedMs: number
  /** What it says. */
  readonly texts: NoticeTexts
}

const firstRetryMs = 1000
const longestRetryMs = 15_000

/** Makes the way out of a window. */
export function createFallbackNotice({
  view,
  board,
  isDirty,
  unattendedMs,
  texts,
}: FallbackNoticeOptions): FallbackNotice {
  let retryMs = firstRetryMs
  const { begin, choice } = createStanding(board)

  return {
    clear() {
      begin()
      board.hide()
      retryMs = firstRetryMs
    },
    offerLate({ wait, leave, cancel, giveUp }) {
      const signal = begin()
      board.show({
        text: texts.slow,
        actions: [
          choice(texts.keepWaiting, wait),
          choice(texts.reload, leave),
          choice(texts.cancel, cancel),
        ],
      })
      // What was typed is not given up for a person who looks away.
      if (!isDirty()) after(unattendedMs, signal, giveUp)
    },
    offerDocument({ leave, cancel }) {
      begin()
      const actions = [choice(texts.open, leave), choice(texts.cancel, cancel)]
      if (isDirty()) board.show({ text: texts.needsReload, actions })
      else leave()
    },
    async offerFailed(url, { retry, leave, cancel }) {
      const signal = begin()
      const reach = await checkReachable(url, signal)
      if (signal.aborted) return
      const open = choice(texts.open, leave)
      if (reach === 'there' && !isDirty()) return open.run()
      board.show({
        text: textOf(reach, view.navigator.onLine, texts),
        actions: [
          ...(reach === 'there' ? [open] : []),
          choice(texts.retry, retry),
          choice(texts.cancel, cancel),
        ],
      })
      if (reach !== 'away') return
      // What tries by itself leaves the notice standing: it would flicker.
      after(retryMs, signal, retry)
      retryMs = Math.min(retryMs * 2, longestRetryMs)
      view.addEventListener('online', retry, { once: true, signal })
    },
  }
}

/** What stands now: its timers and questions end with it. */
function createStanding(board: NoticeBoard) {
  let standing = new AbortController()
  function begin(): AbortSignal {
    standing.abort()
    standing = new AbortController()
    return standing.signal
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
    case 'there':
      return texts.needsReload
    case 'circle':
      return texts.redirectLoop
    case 'away':
      return isOnline ? texts.failed : texts.offline
  }
}

/**
 * Makes the way out of a window's navigations, in the document's language.
 * @param isDirty whether leaving the document would lose what was typed
 */
export function loadFallbackNotice(view: Window, isDirty: () => boolean): FallbackNotice {
  const locale = documentLocale()
  const board = createNoticeBoard(view.document, locale)
  const { unattendedMs } = navigation
  return createFallbackNotice({ view, board, isDirty, unattendedMs, texts: locale.texts.notices })
}
