/**
 * The loads that a test has made. For each route, it counts how often a load ended with each
 * outcome.
 */
export type Ledger = ReturnType<typeof createLedger>

/** Counts by route and outcome, not including zeros. */
export type OutcomesByRoute = Readonly<Record<string, Readonly<Record<string, number>>>>

export function createLedger() {
  const routes: Record<string, Record<string, number>> = {}
  let loads = 0
  let documents = 0
  return {
    /**
     * Records a load.
     * @param route pattern of the route, or `null` for a URL that matches no route
     */
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

/** The part of `waymark arrivals --json` that the tests use. */
export type PrintedReport = {
  readonly all: { readonly documents: { readonly reported: number } }
  readonly routes: readonly {
    readonly route: string | null
    readonly outcomes: Readonly<Record<string, number>>
  }[]
  readonly refused: number
}

/** Adds up the counts from the servers of several builds. */
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

/**
 * Returns the differences between the counted loads and the loads that the test made, with keys
 * such as `/a page`. A positive number means that too many were counted.
 */
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
