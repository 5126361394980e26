type RenewalsOptions = {
  readonly isVisible: () => boolean
  /** Id of the page on the screen. It begins with the id of the process that rendered the page. */
  readonly rendering: () => string
  /** True if the page on the screen was rendered from stale data. */
  readonly isStale: () => boolean
  /** True while a running navigation or action is about to fetch a new page. */
  readonly isBusy: () => boolean
  /** Fetches the page again. @returns true if the new rendering is on the screen */
  readonly renew: () => Promise<boolean>
  /** Asks a server if the page on the screen has changed since it was rendered. */
  readonly isChanged: () => Promise<ChangeCheck>
  readonly onFailing: (isFailing: boolean) => void
}

/** Result of a check. `from` is the id of the process that answered. */
export type ChangeCheck = { readonly isChanged: boolean; readonly from: string }

/** Minimum milliseconds between renewals. Ten changes within a second then cause two requests. */
const atMostEachMs = 950
const lookAgainMs = 200
/**
 * Maximum delay of a message in milliseconds. The server notifies connections one by one, so a
 * message may arrive after a page that already shows the change.
 */
const maxNotifyDelayMs = 6_000
/**
 * Milliseconds after which a page in doubt is fetched again. Processes learn about each other's
 * changes within a second.
 */
const doubtMs = 1_200
const longestPauseMs = 30_000
const gone = { firstMs: 1_000, longestMs: 300_000, forgetMs: 60_000 }

/** A change that the page on the screen may not show yet. */
type Change = {
  /** Id of the page that was on the screen when the change was announced. */
  readonly rendering: string
  /** The process that announced the change; `null` if none did. */
  readonly from: string | null
}

/** Fetches the page on the screen again after a change, once no navigation or action is running. */
export function createRenewals(options: RenewalsOptions) {
  const screen = createScreen(options.rendering)
  const nextGoneMs = createGonePauses()
  const pauses = createPauses()
  const timer = createTimer(() => void run())
  let pendingChange: Change | null = null
  let isRunning = false
  let renewedAtMs = Number.NEGATIVE_INFINITY

  function keep(from: string | null = pendingChange?.from ?? null): void {
    pendingChange = { rendering: pendingChange?.rendering ?? screen.look(), from }
  }

  async function run(): Promise<void> {
    if (pendingChange === null || isRunning || !options.isVisible()) return
    const dueAtMs = Math.max(renewedAtMs + atMostEachMs, timer.pausedUntilMs())
    const waitMs = options.isBusy() ? lookAgainMs : dueAtMs - performance.now()
    if (waitMs > 0) return timer.later(waitMs)
    const before = pendingChange
    pendingChange = null
    isRunning = true
    renewedAtMs = performance.now()
    const outcome = await renewOnce(before, screen.ageMs() > maxNotifyDelayMs, options)
    isRunning = false
    options.onFailing(outcome === 'failed')
    screen.look()
    const pauseMs = pauses.after(outcome)
    if (pendingChange !== null && outcome !== 'failed') return timer.later(0)
    if (outcome === 'current') return
    keep()
    timer.pause(pauseMs)
  }

  return {
    /** Called when data that the page has read changes. @param from process that announced the change */
    ask(from: string): void {
      keep(from)
      pauses.endDoubts()
      timer.pause(0)
    },
    /** Called when a page has appeared and no connection has checked it for earlier changes. */
    check(): void {
      keep()
      timer.later(0)
    },
    /** Called when the server no longer follows the page, which then has to be fetched again. */
    lose(): void {
      keep()
      timer.pause(nextGoneMs())
    },
    /** Called when the visible page or tab may have changed. */
    look(): void {
      screen.look()
      if (pendingChange !== null) timer.later(0)
    },
  }
}

function createTimer(run: () => void) {
  let notBeforeMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  function later(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }
  return {
    later,
    /** Pauses for `ms`, in place of the previous pause. */
    pause(ms: number): void {
      notBeforeMs = performance.now() + ms
      later(ms)
    },
    pausedUntilMs: () => notBeforeMs,
  }
}

function createPauses() {
  let failures = 0
  let doubts = 0
  return {
    after(outcome: Outcome): number {
      failures = outcome === 'failed' ? failures + 1 : 0
      const ms = failures > 0 ? 500 * 2 ** failures : doubtMs * 2 ** doubts
      if (outcome === 'in doubt') doubts++
      return Math.min(ms, longestPauseMs)
    },
    endDoubts(): void {
      doubts = 0
    },
  }
}

/** Tracks the page on the screen and how long it has been there. */
function createScreen(rendering: () => string) {
  let current = ''
  let sinceMs = 0
  const look = () => {
    if (rendering() !== current) sinceMs = performance.now()
    current = rendering()
    return current
  }
  const ageMs = () => {
    look()
    return performance.now() - sinceMs
  }
  return { look, ageMs }
}

type Outcome = 'failed' | 'current' | 'in doubt'

/**
 * @param isOld true if the page had already been on the screen for a while when the change was
 * announced
 */
async function renewOnce(
  { from, rendering: before }: Change,
  isOld: boolean,
  { rendering, isChanged, renew, isStale }: RenewalsOptions,
): Promise<Outcome> {
  const isCertain = from !== null && isOld && before === rendering()
  const answer = isCertain ? null : await isChanged()
  const isCurrent = answer?.isChanged === false
  if (!isCurrent && !(await renew())) return 'failed'
  // Only the process that announced the change is certain to know it. A different process may have
  // rendered without it.
  const isChangeIncluded = isCurrent ? answer.from === from : rendering().startsWith(from ?? '')
  return isStale() || (from !== null && !isChangeIncluded) ? 'in doubt' : 'current'
}

/**
 * Increasing pauses between renewals. A session that changes with each request, or a missing
 * cookie, would otherwise cause endless renewals.
 */
function createGonePauses(): () => number {
  let pauseMs = 0
  let lastAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const sinceMs = performance.now() - lastAtMs
    const isAgain = sinceMs < 2 * pauseMs + gone.forgetMs
    pauseMs = isAgain ? Math.min(Math.max(gone.firstMs, 2 * pauseMs), gone.longestMs) : 0
    lastAtMs = performance.now()
    return pauseMs
  }
}
