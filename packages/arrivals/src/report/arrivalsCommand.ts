import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  alignColumns,
  buildLayout,
  type CommandInput,
  createPackageLoader,
  loadEnvFiles,
  type OptionTable,
  openJournalDriver,
  type PackageCommand,
  type PackageOptions,
  sharedOptions,
} from 'waymark/internal/node'
import { type Counts, countsName } from '../shared/series.ts'
import { type Bar, judge } from './judgement.ts'
import { createReport, type Report, type Summary, shareOf } from './report.ts'

const weekMs = 7 * 86_400_000

const { since, route, mode, json } = sharedOptions

const options = {
  since,
  route,
  build: { value: 'id', text: 'Only this build, by its id or how that begins.' },
  'fail-under': {
    value: 'percent',
    parse: (text: string) => (/^\d{1,2}(?:\.\d+)?$|^100$/.test(text) ? Number(text) : null),
    valid: 'Write --fail-under 99.9.',
    text: 'Exit with 1 if fewer of the loads have arrived, of all or of a route.',
  },
  'min-loads': {
    value: 'number',
    parse: (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : null),
    valid: 'Write --min-loads 1000.',
    text: 'With --fail-under: judge nothing that has fewer loads. Default: 100.',
  },
  mode,
  json,
} as const satisfies OptionTable

type Input = CommandInput<PackageOptions<typeof options>>

/** Prints how the loads of pages ended: in all, by route, by build. */
export const arrivals: PackageCommand<typeof options> = {
  details: `Reads what browsers have reported to servers of the app: by route, the worst first, and by build.
Running servers store their counts each five minutes.`,
  options,
  mode: 'production',
  run,
}

async function run({ options, terminal }: Input): Promise<number> {
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
    const counts = records.flatMap(({ data, fromMs, toMs }) =>
      readCounts(data).map((each) => ({ ...each, fromMs, toMs })),
    )
    const report = createReport(counts, options)
    if (options.json) terminal.printJson(report)
    else for (const line of reportLines(report)) terminal.print(line)
    const failUnder = options['fail-under']
    if (failUnder === undefined) return 0
    return failOf(report, { failUnder, minLoads: options['min-loads'] ?? 100 }, terminal)
  } finally {
    await journal.close()
  }
}

function readCounts(data: unknown): Counts[] {
  // Only servers of the app write to its journal: what has the form is what they have written.
  const { series, vitals, refused } = Object(data) as Counts
  const isCounts = Array.isArray(series) && Array.isArray(vitals) && typeof refused === 'number'
  return isCounts ? [{ series, vitals, refused }] : []
}

/** Says what falls short. @returns the exit code */
function failOf(report: Report, bar: Bar, terminal: Input['terminal']): number {
  const judgement = judge(report, bar)
  switch (judgement.verdict) {
    case 'passed':
      return 0
    case 'too few loads':
      terminal.fail(
        `There are too few loads to judge: ${report.all.loads} of ${Math.max(1, bar.minLoads)}.`,
        'Wait for more, or lower --min-loads.',
      )
      return 1
    case 'short': {
      const short = [...judgement.routes, ...(judgement.routes.length === 0 ? [report.all] : [])]
      for (const summary of short) {
        const name = 'route' in summary ? (summary.route ?? 'without a route') : 'all routes'
        terminal.fail(`${name}: ${percent(summary)} of ${summary.loads} loads have arrived.`)
      }
      terminal.fail(`--fail-under is ${bar.failUnder} %.`)
      return 1
    }
  }
}

export function reportLines({ all, routes, builds, refused }: Report): string[] {
  if (all.loads === 0) return ['No load of a page has been counted.']
  const isCompared = routes.some(({ before }) => before !== null)
  const head = ['loads', 'arrived', ...(isCompared ? ['before'] : []), 'median', 'p75', 'p99']
  const table = (name: string, rows: readonly (readonly [string, Row])[]) =>
    alignColumns([
      [name, ...head, ...['fallback', 'error', 'notice', 'left', 'never']],
      ...rows.map(([first, row]) => [first, ...cellsOf(row, isCompared)]),
    ]).map((cells) => cells.join('  ').trimEnd())
  return [
    ...table('route', [
      ...routes.map((row) => [row.route ?? 'without a route', row] as const),
      ['all', all],
    ]),
    '',
    ...table(
      'build',
      builds.map((row, at) => [row.build ?? 'not known', { ...row, before: builds[at + 1] }]),
    ),
    ...vitalsLines(routes),
    ...(all.digests.length > 0 ? ['', `Errors: ${all.digests.join(', ')}`] : []),
    ...(refused > 0
      ? [
          '',
          `${refused} loads were not counted: of routes that the app has not, or of too many combinations.`,
        ]
      : []),
  ]
}

/** Of the routes for which browsers have measured any. */
function vitalsLines(routes: Report['routes']): string[] {
  const head = ['LCP', 'INP', 'CLS', 'TTFB', 'soft LCP', 'soft INP', 'soft CLS']
  const rows = routes.map(({ route, vitals: { document, soft } }) => {
    const ms = [
      document.LCP,
      document.INP,
      document.CLS,
      document.TTFB,
      soft.LCP,
      soft.INP,
      soft.CLS,
    ]
    const cells = ms.map((value, at) => {
      if (value === null) return '–'
      return head[at]?.endsWith('CLS') ? value.toFixed(3) : `${value} ms`
    })
    return {
      cells: [route ?? 'without a route', ...cells],
      isMeasured: ms.some((value) => value !== null),
    }
  })
  const measured = rows.filter(({ isMeasured }) => isMeasured).map(({ cells }) => cells)
  if (measured.length === 0) return []
  const table = alignColumns([['three of four below', ...head], ...measured])
  return ['', ...table.map((cells) => cells.join('  ').trimEnd())]
}

type Row = Summary & { readonly before?: Pick<Summary, 'loads' | 'arrived'> | null | undefined }

function cellsOf(row: Row, isCompared: boolean): string[] {
  const { loads, medianMs, p75Ms, p99Ms, outcomes, before } = row
  const { fallback, error, notice, left, never } = outcomes
  const ms = (time: number | null) => (time === null ? '–' : `${time} ms`)
  return [
    String(loads),
    percent(row),
    ...(isCompared ? [before ? percent(before) : '–'] : []),
    ...[medianMs, p75Ms, p99Ms].map(ms),
    ...[fallback, error, notice, left, never].map(String),
  ]
}

/** Rounded down: what has not arrived all is not 100 %. */
function percent(summary: Pick<Summary, 'loads' | 'arrived'>): string {
  return `${(Math.floor(shareOf(summary) * 10_000) / 100).toFixed(2)} %`
}
