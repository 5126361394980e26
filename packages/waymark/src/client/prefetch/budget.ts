/** Bounds of prefetching. */
export type PrefetchLimits = {
  readonly perPage: number
  readonly perMinute: number
  readonly atOnce: number
}

/** What holds unless the app says otherwise. */
export const defaultLimits: PrefetchLimits = { perPage: 24, perMinute: 60, atOnce: 4 }

/** Counts prefetches against their bounds. */
export type PrefetchBudget = {
  /** @returns false when one more is too many now */
  take(nowMs: number): boolean
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
    take(nowMs) {
      lately = lately.filter((atMs) => nowMs - atMs < 60_000)
      const isSpent =
        running >= limits.atOnce || onPage >= limits.perPage || lately.length >= limits.perMinute
      if (isSpent) return false
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
