import type { SentDocument } from 'waymark/plugin'
import type { SentDocuments } from '../shared/series.ts'

type Counting = { -readonly [Key in keyof SentDocuments]: SentDocuments[Key] }

/** Counts the documents that the server has sent, by route. */
export function createDocumentCounter(routes: ReadonlySet<string>, build: string) {
  let counts = new Map<string | null, Counting>()
  return {
    add({ route, status, isCut }: SentDocument): void {
      if (!isPage(route, status)) return
      const counting = counts.get(route) ?? { build, route, sent: 0, cut: 0 }
      counts.set(route, counting)
      counting.sent++
      if (isCut) counting.cut++
    },
    isEmpty: () => counts.size === 0,
    take(): SentDocuments[] {
      const documents = [...counts.values()]
      counts = new Map()
      return documents
    },
  }

  /**
   * False for files, redirects and responses from route handlers. True for fallback screens, even
   * without a route.
   */
  function isPage(route: string | null, status: number): boolean {
    if (status >= 400) return route === null || routes.has(route)
    return route !== null && routes.has(route) && (status === 200 || status === 304)
  }
}
