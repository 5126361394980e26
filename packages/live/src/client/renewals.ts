type RenewalsOptions = {
  readonly isVisible: () => boolean
  /** Id of the page on the screen. */
  readonly rendering: () => string
  /** Whether a navigation or an action is under way, which brings a page of its own. */
  readonly isBusy: () => boolean
  /** Fetches the page again. @returns whether it is on the screen */
  readonly renew: () => Promise<boolean>
  /** Asks the server whether the page on the screen was changed since it was rendered. */
  readonly isChanged: () => Promise<boolean>
}

/** Ten changes of a second are two requests. */
const atMostEachMs = 950
const lookAgainMs = 200
/** The server tells many in turns: of a change, after a page that shows it already. */
const toldLateMs = 6_000
const longestPauseMs = 30_000

/** Fetches the page on the screen again once it was changed, and nothing else is under way. */
export function createRenewals(options: RenewalsOptions) {
  const { isVisible, rendering, isBusy, renew, isChanged } = options
  /** The rendering on the screen when a change was told of; `null` without one. */
  let changed: string | null = null
  let isRunning = false
  let failures = 0
  let renewedAtMs = 0
  let shown = ''
  let shownAtMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function look(): void {
    if (rendering() === shown) return
    shown = rendering()
    shownAtMs = Date.now()
  }

  function later(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }

  async function run(): Promise<void> {
    if (changed === null || isRunning || !isVisible()) return
    look()
    const waitMs = isBusy() ? lookAgainMs : renewedAtMs + atMostEachMs - Date.now()
    if (waitMs > 0) return later(waitMs)
    const isCertain = changed === shown && Date.now() - shownAtMs > toldLateMs
    isRunning = true
    changed = null
    renewedAtMs = Date.now()
    const isDone = (!isCertain && !(await isChanged())) || (await renew())
    isRunning = false
    failures = isDone ? 0 : failures + 1
    look()
    if (!isDone) changed ??= shown
    if (changed !== null) later(isDone ? 0 : Math.min(500 * 2 ** failures, longestPauseMs))
  }

  return {
    /** Something of the page was changed. */
    ask(): void {
      look()
      changed ??= shown
      later(0)
    },
    /** Another page, or another tab, may be on the screen. */
    look(): void {
      look()
      if (changed !== null) later(0)
    },
  }
}
