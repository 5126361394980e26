import { messageLine } from '../journal/detailLines.ts'
import type { JournalGroup } from '../journal/driver.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { formatDuration } from './duration.ts'
import type { Terminal } from './terminal.ts'

/** How a list is written. */
export type ListStyle = Pick<Terminal, 'paint' | 'columns'> & { readonly nowMs: number }

/** Writes entries, one a line. */
export function entryLines(entries: readonly JournalEntry[], style: ListStyle): string[] {
  return table(
    entries.map((entry) => [
      entry.digest,
      ago(entry.timeMs, style),
      entry.phase,
      entry.route ?? entry.path ?? '',
      messageLine(entry),
    ]),
    style,
  )
}

/** Writes kinds of errors, one a line, each with the digest of its last occurrence. */
export function groupLines(groups: readonly JournalGroup[], style: ListStyle): string[] {
  return table(
    groups.map(({ fingerprint, count, lastMs, latest, routes }) => [
      fingerprint,
      `${count}×`,
      ago(lastMs, style),
      latest?.digest ?? '',
      routesText(routes),
      latest ? messageLine(latest) : '',
    ]),
    style,
  )
}

function ago(timeMs: number, { nowMs }: ListStyle): string {
  return `${formatDuration(nowMs - timeMs)} ago`
}

function routesText(routes: readonly string[]): string {
  const [first = '', ...others] = routes
  return others.length > 0 ? `${first} +${others.length}` : first
}

/** The last column takes what is left of the line. */
function table(rows: readonly string[][], { columns, paint }: ListStyle): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  return rows.map((row) => {
    const last = row.length - 1
    const lead = row.slice(0, last).map((cell, at) => cell.padEnd(widths[at] ?? 0))
    const left = columns - lead.reduce((sum, cell) => sum + cell.length + 2, 0)
    const [first = '', ...others] = lead
    return [paint.bold(first), ...others.map(paint.dim), shortened(row[last] ?? '', left)].join(
      '  ',
    )
  })
}

function shortened(text: string, length: number): string {
  const room = Math.max(length, 40)
  return text.length > room ? `${text.slice(0, room - 1)}…` : text
}
