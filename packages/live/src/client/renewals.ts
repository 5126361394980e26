import type { LiveRouter } from 'waymark/internal'
import type { Subscription } from '../shared/row.ts'

type RenewalsOptions = {
  readonly router: Pick<LiveRouter, 'isBusy' | 'renew' | 'renderings'>
  /** What the page on the screen follows. */
  readonly followed: () => readonly Subscription[]
  readonly isVisible: () => boolean
  /** Asks the server whether any of them was changed. */
  readonly isChanged: (subscriptions: readonly Subscription[]) => Promise<boolean>
}

/** Ten changes of a second are two requests. */
const atMostEachMs = 900
const lookAgainMs = 200
/** A change of before may be told after the page that shows it: the server tells many in turns. */
const toldLateMs = 6_000
const longestPauseMs = 30_000

/** Fetches the page on the screen again once it was changed, and nothing else is under way. */
export function createRenewals(options: RenewalsOptions) {
  const { router, followed, isVisible, isChanged } = options
  /** The renderings on the screen when a change was told of; `null` without one. */
  let changed: string | null = null
  let isRunning = false
  let failures = 0
  let renewedAtMs = 0
  let shown = ''
  let shownAtMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const nameOf = () => router.renderings().join()

  function look(): void {
    const name = nameOf()
    if (name === shown) return
    shown = name
    shownAtMs = Date.now()
  }

  function later(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }

  async function run(): Promise<void> {
    if (changed === null || isRunning || !isVisible()) return
    look()
    if (router.isBusy()) return later(lookAgainMs)
    const waitMs = renewedAtMs + atMostEachMs - Date.now()
    if (waitMs > 0) return later(waitMs)
    const before = followed()
    if (before.length === 0) return drop()
    const isCertain = changed === shown && Date.now() - shownAtMs > toldLateMs
    isRunning = true
    const told = changed
    changed = null
    renewedAtMs = Date.now()
    const isDone = (!isCertain && !(await isChanged(before))) || (await router.renew())
    isRunning = false
    look()
    failures = isDone ? 0 : failures + 1
    if (!isDone) changed ??= told
    if (changed !== null) later(isDone ? 0 : Math.min(1_000 * 2 ** failures, longestPauseMs))
  }

  function drop(): void {
    changed = null
  }

  return {
    /** Something of the page was changed. */
    ask(): void {
      look()
      changed ??= shown
      later(0)
    },
    /** Another rendering may be on the screen, or the tab may be. */
    look(): void {
      look()
      if (changed !== null) later(0)
    },
  }
}
