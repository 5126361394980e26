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
  /** The notice was left alone: the navigation is treated as one that failed. */
  giveUp(): void
}

/** `giveUp` is `null` while data still arrives. */
type TimeoutChoices = Omit<NavigationChoices, 'retry' | 'giveUp'> & {
  readonly giveUp: NavigationChoices['giveUp'] | null
}

/**
 * A notice for a navigation that does not arrive, with the choices that are left. The Escape key takes
 * the one that loses least.
 */
export type NavigationNotice = {
  offerTimeout(choices: TimeoutChoices): void
  /** Only a document leads on: it is opened at once, unless something was typed. */
  offerDocument(choices: Pick<NavigationChoices, 'leave' | 'cancel'>): void
  /** Retries a short failure without a notice, and a longer one with it. */
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
  /** Asked before a document is opened without the user's doing. */
  readonly mayOpen: () => boolean
}

/** From this many failures on, which take minutes, each one probes the document. */
const failuresOfLongFault = 8

/**
 * Creates the notice of a window's navigations; `isDirty` tells whether a document would lose text.
 */
export function createNavigationNotice(view: Window, isDirty: () => boolean): NavigationNotice {
  const locale = documentLocale()
  const texts = locale.texts.notices
  const board = createNoticeBoard(view.document, locale)
  // Text of the timeout notice: it stays when the data falls silent afterwards.
  let timeoutText: string | null = null
  // Result of the last probe of the target's document.
  let reach: Reachability | null = null
  // Ends the timers and requests of the current notice.
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
      // Typed text is not given up while the user looks away.
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
        // The browser itself may reach what a broken `fetch` of another script does not.
        [isThere ? texts.open : texts.reload, leave],
        [texts.retry, retry],
        [texts.cancel, cancel],
      ]
      show(textOf(reach, view.navigator.onLine, texts), cancel, ...choices)
      // The notice stays during a retry: it would flicker.
      if (reach !== 'redirect-loop') wait()
    },
  }
}

/** True if the target's document is probed: once, before it is opened, and in a long fault. */
function wantsProbe(
  reach: Reachability | null,
  { retries }: LoadFailure,
  isDirty: boolean,
): boolean {
  if (reach === null || retries.failures >= failuresOfLongFault) return true
  return reach === 'ok' && !isDirty
}

type Probed = { before: Reachability | null; reach: Reachability; isDirty: boolean }

/** Decides the next step for a page that could not be fetched; `ask`: the user decides. */
function nextStep(
  { before, reach, isDirty }: Probed,
  { error, retries, mayOpen }: LoadFailure,
): 'retry' | 'leave' | 'wait' | 'ask' {
  // The server may be back since: data keeps the document.
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
