import { navigation } from 'virtual:waymark/navigation'
import type { NoticeTexts } from '../../screens/screenTexts.ts'
import { documentLocale } from '../document/documentLocale.ts'
import { checkReachable, type Reachability } from './documentNavigation.ts'
import { createNoticeBoard } from './notice.ts'

/** What the user can choose about a navigation that does not arrive. */
export type FallbackChoices = {
  /** Waits on. */
  wait(): void
  retry(): void
  /** Has the browser load the document. */
  leave(): void
  cancel(): void
  /** The notice was left alone: the navigation is treated as one that failed. */
  giveUp(): void
}

/** A notice for a navigation that does not arrive, with the choices that are left. */
export type FallbackNotice = {
  offerTimeout(choices: Omit<FallbackChoices, 'retry'>): void
  /** Only a document leads on: it is opened at once, unless something was typed. */
  offerDocument(choices: Pick<FallbackChoices, 'leave' | 'cancel'>): void
  offerRetry(url: URL, choices: Pick<FallbackChoices, 'retry' | 'leave' | 'cancel'>): Promise<void>
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
  // What is shown: its timers and requests end with it.
  let session = new AbortController()
  function begin(): AbortSignal {
    session.abort()
    session = new AbortController()
    return session.signal
  }
  /** @param dismiss what the Escape key means: the choice that loses least */
  function show(text: string, dismiss: () => void, ...choices: readonly Choice[]): void {
    const closing = (act: () => void) => () => {
      begin()
      board.hide()
      act()
    }
    const actions = choices.map(([label, act]) => ({ label, run: closing(act) }))
    board.show({ text, actions, onEscape: closing(dismiss) })
  }

  const cancelChoice = (cancel: () => void): Choice => [texts.cancel, cancel]

  return {
    clear() {
      begin()
      board.hide()
      retryMs = firstRetryMs
    },
    offerTimeout({ wait, leave, cancel, giveUp }) {
      const signal = begin()
      const others: readonly Choice[] = [[texts.reload, leave], cancelChoice(cancel)]
      show(texts.slow, wait, [texts.keepWaiting, wait], ...others)
      // What was typed is not given up while the user looks away.
      if (!isDirty()) after(navigation.unattendedMs, signal, giveUp)
    },
    offerDocument({ leave, cancel }) {
      begin()
      if (isDirty()) show(texts.needsReload, cancel, [texts.open, leave], cancelChoice(cancel))
      else leave()
    },
    async offerRetry(url, { retry, leave, cancel }) {
      const signal = begin()
      const reach = await checkReachable(url, signal)
      if (signal.aborted) return
      if (reach === 'ok' && !isDirty()) return leave()
      const open: readonly Choice[] = reach === 'ok' ? [[texts.open, leave]] : []
      const text = textOf(reach, view.navigator.onLine, texts)
      show(text, cancel, ...open, [texts.retry, retry], cancelChoice(cancel))
      if (reach !== 'unreachable') return
      // What tries by itself leaves the notice as it is: it would flicker.
      after(retryMs, signal, retry)
      retryMs = Math.min(retryMs * 2, longestRetryMs)
      view.addEventListener('online', retry, { once: true, signal })
    },
  }
}

type Choice = readonly [label: string, act: () => void]

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
