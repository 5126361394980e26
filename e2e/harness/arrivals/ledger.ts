/** The loads that a test has made: how often a load of a route has ended in an outcome. */
export type Ledger = ReturnType<typeof createLedger>

/** Counts for each route and outcome; those that are 0 are left out. */
export type OutcomesByRoute = Readonly<Record<string, Readonly<Record<string, number>>>>

export function createLedger() {
  const routes: Record<string, Record<string, number>> = {}
  let loads = 0
  let documents = 0
  return {
    /** @param route its pattern; `null` for a URL without one */
    did(route: string | null, outcome: string, { isDocument = false } = {}): void {
      const outcomes = routes[String(route)] ?? {}
      routes[String(route)] = outcomes
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      loads++
      if (isDocument) documents++
    },
    routes: (): OutcomesByRoute => routes,
    loads: () => loads,
    documents: () => documents,
  }
}

/** A part of what `waymark arrivals --json` prints. */
export type PrintedReport = {
  readonly all: { readonly documents: { readonly reported: number } }
  readonly routes: readonly {
    readonly route: string | null
    readonly outcomes: Readonly<Record<string, number>>
  }[]
  readonly refused: number
}

/** Adds up what the servers of several builds have counted. */
export function addReports(reports: readonly PrintedReport[]): OutcomesByRoute {
  const sum: Record<string, Record<string, number>> = {}
  for (const { route, outcomes } of reports.flatMap(({ routes }) => routes)) {
    const totals = sum[String(route)] ?? {}
    sum[String(route)] = totals
    for (const [outcome, count] of Object.entries(outcomes)) {
      if (count > 0) totals[outcome] = (totals[outcome] ?? 0) + count
    }
  }
  return sum
}

/** Differences between counted and made loads, above 0 for too many, by route and outcome: `/a page`. */
export function differenceOf(
  done: OutcomesByRoute,
  counted: OutcomesByRoute,
): Readonly<Record<string, number>> {
  const difference: Record<string, number> = {}
  for (const [sign, routes] of [[-1, done] as const, [1, counted] as const]) {
    for (const [route, outcomes] of Object.entries(routes)) {
      for (const [outcome, count] of Object.entries(outcomes)) {
        const name = `${route} ${outcome}`
        difference[name] = (difference[name] ?? 0) + sign * count
      }
    }
  }
  return Object.fromEntries(Object.entries(difference).filter(([, count]) => count !== 0))
}
