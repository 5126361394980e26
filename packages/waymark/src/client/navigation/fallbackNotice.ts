import { navigation } from 'virtual:waymark/navigation'
import type { NoticeTexts } from '../../screens/screenTexts.ts'
import { documentLocale } from '../document/documentLocale.ts'
import { checkReachable, type Reachability } from './documentNavigation.ts'
import { NoPageData } from './fetchPage.ts'
import { createNoticeBoard } from './notice.ts'
import { isTransient, type Retries } from './retries.ts'

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
  /** What may mend itself in a moment is tried again without a word. */
  offerRetry(
    url: URL,
    choices: Pick<FallbackChoices, 'retry' | 'leave' | 'cancel'>,
    failure: Failure,
  ): Promise<void>
  /** The navigation is over. */
  clear(): void
}

/** Why a page could not be fetched, and how often. */
export type Failure = { readonly error: unknown; readonly retries: Retries }

/** From so many failures on, the document is looked for each time: then it is minutes' work. */
const failuresOfLongFault = 8

/**
 * Creates the notice of a window's navigations, in the document's language.
 * @param isDirty whether leaving the document would lose what was typed
 */
export function createFallbackNotice(view: Window, isDirty: () => boolean): FallbackNotice {
  const locale = documentLocale()
  const texts = locale.texts.notices
  const board = createNoticeBoard(view.document, locale)
  // Of the target's document, when it was looked for last.
  let reach: Reachability | null = null
  // What is shown: its timers and requests end with it.
  let session = new AbortController()
  function begin(): AbortSignal {
    session.abort()
    session = new AbortController()
    return session.signal
  }
  function show(text: string, ...choices: readonly Choice[]): void {
    const actions = choices.map(([label, act]) => ({
      label,
      run() {
        begin()
        board.hide()
        act()
      },
    }))
    board.show({ text, actions })
  }

  return {
    clear() {
      begin()
      board.hide()
      reach = null
    },
    offerTimeout({ wait, leave, cancel, giveUp }) {
      const signal = begin()
      show(texts.slow, [texts.keepWaiting, wait], [texts.reload, leave], [texts.cancel, cancel])
      // What was typed is not given up while the user looks away.
      if (!isDirty()) after(navigation.unattendedMs, signal, giveUp)
    },
    offerDocument({ leave, cancel }) {
      begin()
      if (isDirty()) show(texts.needsReload, [texts.open, leave], [texts.cancel, cancel])
      else leave()
    },
    async offerRetry(url, { retry, leave, cancel }, { error, retries }) {
      const signal = begin()
      const isFirst = reach === null
      const isLong = retries.failures >= failuresOfLongFault
      if (isFirst || isLong || (reach === 'ok' && !isDirty())) {
        reach = await checkReachable(url, signal, isRedirected(error))
      }
      if (signal.aborted || reach === null) return
      // The server is back since: data keeps the document.
      if (reach === 'ok' && isFirst && isTransient(error)) return retry()
      if (reach === 'ok' && !isDirty()) return leave()
      if (reach === 'unreachable' && retries.isQuiet()) {
        return after(retries.pauseMs(), signal, retry)
      }
      const open: readonly Choice[] = reach === 'ok' ? [[texts.open, leave]] : []
      const text = textOf(reach, view.navigator.onLine, texts)
      show(text, ...open, [texts.retry, retry], [texts.cancel, cancel])
      if (reach === 'redirect-loop') return
      // What tries by itself leaves the notice as it is: it would flicker.
      after(retries.pauseMs(), signal, retry)
      view.addEventListener('online', retry, { once: true, signal })
    },
  }
}

type Choice = readonly [label: string, act: () => void]

function after(ms: number, signal: AbortSignal, act: () => void): void {
  const timer = setTimeout(act, ms)
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

function isRedirected(error: unknown): boolean {
  return error instanceof NoPageData && error.isRedirected
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
