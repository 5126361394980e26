type RenewalsOptions = {
  readonly isVisible: () => boolean
  /** Id of the page on the screen: it begins with the id of the process that has rendered it. */
  readonly rendering: () => string
  /** Whether the page on the screen has shown what was stale. */
  readonly isStale: () => boolean
  /** Whether a navigation or an action is under way, which brings a page of its own. */
  readonly isBusy: () => boolean
  /** Fetches the page again. @returns whether it is on the screen */
  readonly renew: () => Promise<boolean>
  /** Asks a server whether the page on the screen was changed since it was rendered. */
  readonly isChanged: () => Promise<Answer>
  readonly onFailing: (isFailing: boolean) => void
}

/** `from`: the id of the process that has given it. */
export type Answer = { readonly isChanged: boolean; readonly from: string }

/** Ten changes of a second are two requests. */
const atMostEachMs = 950
const lookAgainMs = 200
/** The server tells many in turns: of a change, after a page that shows it already. */
const toldLateMs = 6_000
/** Processes know of each other's changes after a second at most. */
const doubtMs = 1_200
const longestPauseMs = 30_000
const gone = { firstMs: 1_000, longestMs: 300_000, forgetMs: 60_000 }

/** Fetches the page on the screen again once it was changed, and nothing else is under way. */
export function createRenewals(options: RenewalsOptions) {
  const { isVisible, rendering, isBusy, renew, isChanged } = options
  /** The rendering on the screen when a change was told of; `null` without one. */
  let changed: string | null = null
  /** The process that has told of it; `null` when nobody has. */
  let teller: string | null = null
  let isRunning = false
  let failures = 0
  let doubts = 0
  let renewedAtMs = Number.NEGATIVE_INFINITY
  let notBeforeMs = 0
  let shown = ''
  let shownAtMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const nextGoneMs = createGonePauses()

  function look(): void {
    if (rendering() === shown) return
    shown = rendering()
    shownAtMs = performance.now()
  }

  function later(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }

  function pause(ms: number): void {
    notBeforeMs = performance.now() + ms
    later(ms)
  }

  /** Another process than the one that has told may not have known of the change. */
  function isInDoubt(told: string | null, answer: Answer | null): boolean {
    if (told === null) return false
    return answer?.isChanged === false ? answer.from !== told : !rendering().startsWith(told)
  }

  async function run(): Promise<void> {
    if (changed === null || isRunning || !isVisible()) return
    look()
    const nowMs = performance.now()
    const dueAtMs = Math.max(renewedAtMs + atMostEachMs, notBeforeMs)
    const waitMs = isBusy() ? lookAgainMs : dueAtMs - nowMs
    if (waitMs > 0) return later(waitMs)
    const told = teller
    const isCertain = told !== null && changed === shown && nowMs - shownAtMs > toldLateMs
    isRunning = true
    changed = null
    teller = null
    renewedAtMs = nowMs
    const answer = isCertain ? null : await isChanged()
    const isDone = answer?.isChanged === false || (await renew())
    isRunning = false
    failures = isDone ? 0 : failures + 1
    options.onFailing(failures > 0)
    look()
    if (!isDone) {
      changed ??= shown
      later(Math.min(500 * 2 ** failures, longestPauseMs))
    } else if (changed !== null) later(0)
    else if (options.isStale() || isInDoubt(told, answer)) {
      changed = shown
      pause(Math.min(doubtMs * 2 ** doubts++, longestPauseMs))
    }
  }

  return {
    /** Something of the page was changed. @param from the process that has told of it */
    ask(from: string): void {
      look()
      changed ??= shown
      teller = from
      doubts = 0
      notBeforeMs = 0
      later(0)
    },
    /** The page came to the screen without a server that would tell what was changed before. */
    check(): void {
      look()
      changed ??= shown
      later(0)
    },
    /** The server does not follow the page any more, until it is fetched again. */
    lose(): void {
      look()
      changed ??= shown
      pause(nextGoneMs())
    },
    /** Another page, or another tab, may be on the screen. */
    look(): void {
      look()
      if (changed !== null) later(0)
    },
  }
}

/** A session that changes with each request, or a cookie that is not sent along, would never end it. */
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
