import type { PrefetchLimits } from '../../shared/navigationSettings.ts'

/** Counts prefetches against their bounds. */
export type PrefetchBudget = {
  /**
   * @param isMeant a click is likely: the bound of the page does not hold
   * @returns false when one more is too many now
   */
  take(nowMs: number, isMeant: boolean): boolean
  giveBack(): void
  /** A new page: its own bound begins anew. */
  turnPage(): void
}

/** Makes the budget of a document. */
export function createBudget(limits: PrefetchLimits): PrefetchBudget {
  let running = 0
  let onPage = 0
  let lately: number[] = []

  return {
    take(nowMs, isMeant) {
      lately = lately.filter((atMs) => nowMs - atMs < 60_000)
      if (running >= limits.atOnce || lately.length >= limits.perMinute) return false
      if (!isMeant && onPage >= limits.perPage) return false
      running++
      onPage++
      lately.push(nowMs)
      return true
    },
    giveBack() {
      running--
    },
    turnPage() {
      onPage = 0
    },
  }
}
