import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  alignColumns,
  buildLayout,
  type Command,
  createPackageLoader,
  loadEnvFiles,
  openJournalDriver,
} from 'waymark/internal/node'
import { type Counts, countsName } from '../shared/series.ts'
import { createReport, type Report, type Summary, shareOf } from './report.ts'

const weekMs = 7 * 86_400_000

/** Prints how the loads of pages ended: in all, by route, by build. */
export const arrivals: Command = async ({ options, terminal }) => {
  const root = path.resolve(options.folder ?? '.')
  if (!existsSync(root)) {
    terminal.fail(`There is no folder ${root}.`)
    return 2
  }
  loadEnvFiles(root, options.mode ?? 'production', process.env)
  const journal = await openJournalDriver({
    env: process.env,
    folder: path.join(root, buildLayout.folder, buildLayout.journal),
    log: (line) => terminal.fail(line),
    loadPackage: createPackageLoader(root),
  })
  try {
    const sinceMs = Date.now() - (options.since ?? weekMs)
    const records = await journal.counts({ name: countsName, sinceMs })
    const report = createReport(records.flatMap(({ data }) => ofRoute(data, options.route)))
    if (options.json) terminal.printJson(report)
    else for (const line of reportLines(report)) terminal.print(line)
    return 0
  } finally {
    await journal.close()
  }
}

/** The counts of a record, perhaps of one route only. */
function ofRoute(data: unknown, route: string | undefined): Counts[] {
  // Only servers of the app write to its journal: what has the form is what they have written.
  const { series, refused } = Object(data) as Counts
  if (!Array.isArray(series) || typeof refused !== 'number') return []
  return [{ series: series.filter((each) => route === undefined || each.route === route), refused }]
}

export function reportLines({ all, routes, builds, refused }: Report): string[] {
  if (all.loads === 0) return ['No load of a page has been counted.']
  const head = ['loads', 'arrived', 'median', 'p95']
  const outcomes = ['fallback', 'error', 'notice', 'left', 'never']
  const table = (name: string, rows: readonly (readonly [string, Summary])[]) =>
    alignColumns([
      [name, ...head, ...outcomes],
      ...rows.map(([first, row]) => [first, ...cellsOf(row)]),
    ]).map((cells) => cells.join('  ').trimEnd())
  return [
    ...table('route', [
      ...routes.map((row) => [row.route ?? 'without a route', row] as const),
      ['all', all],
    ]),
    '',
    ...table(
      'build',
      builds.map((row) => [row.build ?? 'not known', row] as const),
    ),
    ...(all.digests.length > 0 ? ['', `Errors: ${all.digests.join(', ')}`] : []),
    ...(refused > 0
      ? [
          '',
          `${refused} loads were not counted: of routes that the app has not, or of too many combinations.`,
        ]
      : []),
  ]
}

function cellsOf(summary: Summary): string[] {
  const { loads, medianMs, p95Ms, outcomes } = summary
  const { fallback, error, notice, left, never } = outcomes
  const share = `${(Math.floor(shareOf(summary) * 10_000) / 100).toFixed(2)} %`
  const ms = (time: number | null) => (time === null ? '–' : `${time} ms`)
  return [
    String(loads),
    share,
    ms(medianMs),
    ms(p95Ms),
    ...[fallback, error, notice, left, never].map(String),
  ]
}
