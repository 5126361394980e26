import type { Followed } from './connection.ts'

// Milliseconds without a message after which a tab is forgotten, because it may have been closed
// without saying so.
const forgetMs = 60_000

/** In the tab with the connection, collects the subscriptions of other tabs. */
export function createOtherTabs(now: () => number = () => performance.now()) {
  const tabs = new Map<string, { readonly followed: Followed; readonly atMs: number }>()
  return {
    set(tab: string, followed: Followed): void {
      if (followed.size === 0) tabs.delete(tab)
      else tabs.set(tab, { followed, atMs: now() })
    },
    /**
     * Joins the subscriptions of all tabs. If tabs show the same page, includes each tab's
     * rendering, because one may be older than the others.
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
