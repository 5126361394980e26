import { navigation } from 'virtual:waymark/navigation'
import { fillText, type NoticeTexts } from '../../screens/screenTexts.ts'
import { trace } from '../../wire/trace.ts'
import { pause, type Retries } from '../retry/retry.ts'
import {
  checkReachable,
  clearCookies,
  type Reachability,
  type RefusedDocument,
} from './documentNavigation.ts'
import { isTransient, NoPageData } from './fetchPage.ts'
import { createNoticeBoard, documentLocale } from './notice.ts'

export type NavigationChoices = {
  wait(): void
  retry(): void
  leave(): void
  cancel(): void
  /** Called if the user ignores the notice. The navigation then counts as failed. */
  giveUp(): void
}

/** The choices after a timeout. `giveUp` is `null` while data is still arriving. */
type TimeoutChoices = Omit<NavigationChoices, 'retry' | 'giveUp'> & {
  readonly giveUp: NavigationChoices['giveUp'] | null
}

/**
 * A notice about a late or failed navigation, with the user's choices. The Escape key makes the
 * choice that loses the least.
 */
export type NavigationNotice = {
  offerTimeout(choices: TimeoutChoices): void
  /**
   * Offers to load the target as a document, because only a document can show the page. Loads it
   * without asking if no text was typed.
   */
  offerDocument(choices: Pick<NavigationChoices, 'leave' | 'cancel'>): void
  /** Retries without a notice at first, then shows a notice. */
  offerRetry(
    url: URL,
    choices: Pick<NavigationChoices, 'retry' | 'leave' | 'cancel'>,
    failure: LoadFailure,
  ): Promise<void>
  clear(): void
}

export type LoadFailure = {
  readonly error: unknown
  readonly retries: Retries
  /** Returns true if a document may be loaded without asking the user. */
  readonly mayOpen: () => boolean
}

/**
 * Number of failures, which take minutes, after which each further failure checks if the document
 * is reachable.
 */
const failuresOfLongFault = 8

/**
 * Creates the notice for the navigations of a window.
 * @param isDirty returns true if a new document would lose typed text
 */
export function createNavigationNotice(view: Window, isDirty: () => boolean): NavigationNotice {
  const locale = documentLocale()
  const texts = locale.texts.notices
  const board = createNoticeBoard(view.document, locale)
  // Text of the timeout notice, which must not change even if data later stops arriving.
  let timeoutText: string | null = null
  // Result of the last check of the target's document.
  let reach: Reachability | null = null
  // Ends the current notice's timers and requests.
  let session = new AbortController()
  function begin(): AbortSignal {
    session.abort()
    session = new AbortController()
    return session.signal
  }
  function show(text: string, onEscape: () => void, ...choices: readonly Choice[]): void {
    const closing = (act: () => void) => () => {
      begin()
      board.hide()
      timeoutText = null
      act()
    }
    const actions = choices.map(([label, act]) => ({ label, run: closing(act) }))
    board.show({ text, actions, onEscape: closing(onEscape) })
    if (import.meta.env.WAYMARK_TRACED) trace({ type: 'notice' })
  }

  return {
    clear() {
      begin()
      board.hide()
      timeoutText = null
      reach = null
    },
    offerTimeout({ wait, leave, cancel, giveUp }) {
      const signal = begin()
      const end: Choice = [texts.cancel, cancel]
      timeoutText ??= giveUp ? texts.slow : texts.stillLoading
      show(timeoutText, wait, [texts.keepWaiting, wait], [texts.reload, leave], end)
      // Don't stop waiting automatically if the user has typed something, because a failed
      // navigation could lose the text.
      if (giveUp && !isDirty()) after(navigation.unattendedMs, signal, giveUp)
    },
    offerDocument({ leave, cancel }) {
      begin()
      if (isDirty()) show(texts.needsReload, cancel, [texts.open, leave], [texts.cancel, cancel])
      else leave()
    },
    async offerRetry(url, { retry, leave, cancel }, failure) {
      const signal = begin()
      const before = reach
      if (wantsProbe(before, failure, isDirty())) {
        reach = await checkReachable(url, signal, isRedirected(failure))
      }
      if (signal.aborted || reach === null) return
      const step = nextStep({ before, reach, isDirty: isDirty() }, failure)
      const wait = () => void retryLater(failure, signal, retry)
      if (step !== 'ask') return { retry, leave, wait }[step]()
      const clear = () => void clearCookies(view.document).then(retry)
      const isThere = reach === 'ok' || isRefused(reach)
      const choices: readonly Choice[] = [
        ...(areCookiesTooLarge(reach) ? [[texts.clearCookies, clear] as const] : []),
        // Offer to open the page even if the check failed: a script may have broken `fetch`, while
        // the browser can load the page.
        [isThere ? texts.open : texts.reload, leave],
        [texts.retry, retry],
        [texts.cancel, cancel],
      ]
      show(textOf(reach, view.navigator.onLine, texts), cancel, ...choices)
      // Keep the notice during a retry, so that it doesn't flicker.
      if (reach !== 'redirect-loop') wait()
    },
  }
}

/**
 * True if the target's document should be checked: after the first failure, when the document is
 * about to be loaded, and after many failures.
 */
function wantsProbe(
  reach: Reachability | null,
  { retries }: LoadFailure,
  isDirty: boolean,
): boolean {
  if (reach === null || retries.failures >= failuresOfLongFault) return true
  return reach === 'ok' && !isDirty
}

type Probed = { before: Reachability | null; reach: Reachability; isDirty: boolean }

/** Decides what to do about a page that couldn't be fetched. `ask` means that the user decides. */
function nextStep(
  { before, reach, isDirty }: Probed,
  { error, retries, mayOpen }: LoadFailure,
): 'retry' | 'leave' | 'wait' | 'ask' {
  // If the server responds again, try page data first, because that keeps the current document.
  if (reach === 'ok' && before === null && isFetched(error)) return 'retry'
  if (reach === 'ok' && !isDirty && mayOpen()) return 'leave'
  const mayPass = reach === 'unreachable' || isRefused(reach)
  return mayPass && retries.isQuiet() ? 'wait' : 'ask'
}

type Choice = readonly [label: string, act: () => void]

function after(ms: number, signal: AbortSignal, act: () => void): void {
  const timer = setTimeout(act, ms)
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

function isFetched(error: unknown): boolean {
  return error instanceof NoPageData ? !error.isRedirected : isTransient(error)
}

function isRedirected({ error }: LoadFailure): boolean {
  return error instanceof NoPageData && error.isRedirected
}

async function retryLater({ retries }: LoadFailure, signal: AbortSignal, retry: () => void) {
  await pause(retries.pauseMs() ?? 0, signal)
  if (!signal.aborted) retry()
}

function isRefused(reach: Reachability): reach is RefusedDocument {
  return typeof reach === 'object'
}

function areCookiesTooLarge(reach: Reachability): boolean {
  return isRefused(reach) && reach.refusedWith === 431
}

function textOf(reach: Reachability, isOnline: boolean, texts: NoticeTexts): string {
  if (areCookiesTooLarge(reach)) return texts.cookiesTooLarge
  if (isRefused(reach)) return fillText(texts.refused, { status: String(reach.refusedWith) })
  switch (reach) {
    case 'ok':
      return texts.needsReload
    case 'redirect-loop':
      return texts.redirectLoop
    case 'unreachable':
      return isOnline ? texts.failed : texts.offline
  }
}
