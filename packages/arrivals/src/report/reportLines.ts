import { alignColumns } from 'waymark/plugin/node'
import type { Report } from './report.ts'
import { type DocumentsSummary, type Summary, shareOf } from './summary.ts'
import type { VitalsSummary } from './vitalsReport.ts'

/** Number of characters of a build id that are printed. `--build` accepts such a shortened id. */
const shortId = 8

/** Builds the tables that `waymark arrivals` prints. */
export function reportLines({ all, routes, builds, refused }: Report): string[] {
  if (all.loads + all.documents.sent === 0) return ['No page loads have been counted yet.']
  const isCompared = routes.some(({ before }) => before !== null)
  const head = ['loads', 'arrived', ...(isCompared ? ['before'] : []), 'median', 'p75', 'p99']
  const table = (name: string, rows: readonly (readonly [string, Row])[]) =>
    tableLines([
      [name, ...head, 'fallback', 'error', 'notice', 'left', 'never'],
      ...rows.map(([first, row]) => [first, ...cellsOf(row, isCompared)]),
    ])
  return [
    ...table('route', [...routes.map((row) => [nameOf(row.route), row] as const), ['all', all]]),
    '',
    ...table(
      'build',
      builds.map((row, at) => [
        row.build?.slice(0, shortId) ?? 'unknown',
        { ...row, before: builds[at + 1] },
      ]),
    ),
    ...documentsLines([
      ...routes.map(({ route, documents }) => [nameOf(route), documents] as const),
      ['all', all.documents],
    ]),
    ...vitalsLines(routes),
    ...(all.digests.length > 0 ? ['', `Errors: ${all.digests.join(', ')}`] : []),
    ...(refused > 0
      ? [
          '',
          `${refused} loads weren't counted, because the app has no such routes or there were too many combinations.`,
        ]
      : []),
  ]
}

const ms = (time: number | null) => (time === null ? '–' : `${time} ms`)
const shift = (score: number | null) => score?.toFixed(3) ?? '–'

const vitalColumns: Readonly<Record<string, (vitals: VitalsSummary) => string>> = {
  LCP: ({ document }) => ms(document.LCP),
  INP: ({ document }) => ms(document.INP),
  CLS: ({ document }) => shift(document.CLS),
  TTFB: ({ document }) => ms(document.TTFB),
  'soft LCP': ({ soft }) => ms(soft.LCP),
  'soft INP': ({ soft }) => ms(soft.INP),
  'soft CLS': ({ soft }) => shift(soft.CLS),
}

/** Builds the table of vitals, for routes with measured values. */
function vitalsLines(routes: Report['routes']): string[] {
  const rows = routes.map(({ route, vitals }) => [
    nameOf(route),
    ...Object.values(vitalColumns).map((cellOf) => cellOf(vitals)),
  ])
  const measured = rows.filter(([, ...cells]) => cells.some((cell) => cell !== '–'))
  if (measured.length === 0) return []
  return ['', ...tableLines([['75th percentile', ...Object.keys(vitalColumns)], ...measured])]
}

/** Builds the table of sent documents, if a Node server has counted any. */
function documentsLines(rows: readonly (readonly [string, DocumentsSummary])[]): string[] {
  const counted = rows.filter(([, { sent }]) => sent > 0)
  if (counted.length === 0) return []
  const lines = counted.map(([name, { sent, reported, cut }]) => {
    return [name, ...[sent, reported, Math.max(0, sent - reported), cut].map(String)]
  })
  return ['', ...tableLines([['documents', 'sent', 'reported', 'silent', 'broken off'], ...lines])]
}

type Row = Summary & { readonly before?: Pick<Summary, 'loads' | 'arrived'> | null | undefined }

function cellsOf(row: Row, isCompared: boolean): string[] {
  const { loads, medianMs, p75Ms, p99Ms, outcomes, before } = row
  const { fallback, error, notice, left, never } = outcomes
  return [
    String(loads),
    percent(row),
    ...(isCompared ? [before ? percent(before) : '–'] : []),
    ...[medianMs, p75Ms, p99Ms].map(ms),
    ...[fallback, error, notice, left, never].map(String),
  ]
}

function tableLines(rows: readonly (readonly string[])[]): string[] {
  return alignColumns(rows).map((cells) => cells.join('  ').trimEnd())
}

export const nameOf = (route: string | null) => route ?? 'without a route'

/** Formats a percentage. Rounds down, so that 100 % means that all loads arrived. */
export function percent(summary: Pick<Summary, 'loads' | 'arrived'>): string {
  if (summary.loads === 0) return '–'
  return `${(Math.floor(shareOf(summary) * 10_000) / 100).toFixed(2)} %`
}
