import { readFileSync } from 'node:fs'

type Query = { readonly expr: string }
type Dashboard = {
  readonly panels: readonly { readonly targets: readonly Query[] }[]
  readonly annotations: { readonly list: readonly Query[] }
}

/**
 * Returns the queries of the Grafana dashboard in `deploy/`, with values for the dashboard's
 * variables.
 */
export function dashboardQueries(job: string): string[] {
  const file = new URL('../deploy/grafana/waymark.json', import.meta.url)
  const { panels, annotations } = JSON.parse(readFileSync(file, 'utf8')) as Dashboard
  const queries = [...panels.flatMap(({ targets }) => targets), ...annotations.list]
  return queries.map(({ expr }) =>
    expr
      .replaceAll('$job', job)
      .replaceAll('$route', '.*')
      .replaceAll('$__rate_interval', '30s')
      .replaceAll('$__range', '1m'),
  )
}
