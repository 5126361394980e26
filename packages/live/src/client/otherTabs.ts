import type { Followed } from './connection.ts'

// Forget a silent tab after this time, because it may have been closed without announcing its end.
const forgetMs = 60_000

/** Collects the subscriptions of other tabs in the tab that holds the connection. */
export function createOtherTabs(now: () => number = () => performance.now()) {
  const tabs = new Map<string, { readonly followed: Followed; readonly atMs: number }>()
  return {
    set(tab: string, followed: Followed): void {
      if (followed.size === 0) tabs.delete(tab)
      else tabs.set(tab, { followed, atMs: now() })
    },
    /**
     * Joins the subscriptions of all tabs. Includes every tab's rendering of the same page, because
     * renderings differ in age.
     */
    join(followedHere: Followed): Followed {
      const all = new Map(followedHere)
      for (const [tab, { followed, atMs }] of tabs) {
        if (now() - atMs > forgetMs) tabs.delete(tab)
        else for (const [name, sealed] of followed) add(all, name, sealed)
      }
      return all
    },
  }
}

function add(all: Map<string, readonly string[]>, name: string, sealed: readonly string[]): void {
  all.set(name, [...new Set([...(all.get(name) ?? []), ...sealed])])
}
