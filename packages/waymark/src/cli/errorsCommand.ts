import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describeEntry, detailJson, detailLines, messageLine } from '../journal/detail.ts'
import type {
  FoundOccurrence,
  JournalDriver,
  JournalFilter,
  JournalGroup,
} from '../journal/journalDriver.ts'
import type { JournalEntry } from '../journal/journalEntry.ts'
import { openJournalDriver } from '../journal/openJournalDriver.ts'
import { createStackMapper } from '../journal/sourceMaps.ts'
import { loadEnvFiles } from '../node/env.ts'
import { type BuildManifest, buildLayout } from '../shared/buildManifest.ts'
import type { Command, CommandInput, GivenOptions } from './arguments.ts'
import { formatDuration, parseDuration } from './duration.ts'
import type { Terminal } from './terminal.ts'

/** Lists the errors of the app's journal, or prints one. */
export const errors: Command = async (input) => {
  const { options, terminal } = input
  const root = path.resolve(options.folder ?? '.')
  if (!existsSync(root)) {
    terminal.fail(`There is no folder ${root}.`, 'A digest looks like 6r3v-0m2k-x7q.')
    return 2
  }
  const folder = path.join(root, buildLayout.folder, buildLayout.journal)
  loadEnvFiles(root, options.mode ?? 'production', process.env)
  const log = (line: string) => terminal.fail(line)
  const journal = await openJournalDriver({ env: process.env, folder, log })
  try {
    if (options.digest !== undefined) return await printOne(options.digest, root, journal, input)
    const filter = readFilter(options, terminal)
    return filter === null ? 2 : await printList(filter, journal, input)
  } finally {
    await journal.close()
  }
}

/** @returns `null` when an option was not understood; the terminal has said so */
function readFilter(options: GivenOptions, terminal: Terminal): JournalFilter | null {
  const sinceAgoMs = options.since === undefined ? undefined : parseDuration(options.since)
  if (sinceAgoMs === null) {
    terminal.fail(`${options.since} is no duration.`, 'Write --since 30m, 1h or 7d.')
    return null
  }
  const limit = options.limit === undefined ? undefined : Number(options.limit)
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
    terminal.fail(`${options.limit} is no number of lines.`, 'Write --limit 100.')
    return null
  }
  const sinceMs = sinceAgoMs === undefined ? undefined : Date.now() - sinceAgoMs
  return { sinceMs, route: options.route, fingerprint: options.fingerprint, limit }
}

async function printList(
  filter: JournalFilter,
  journal: JournalDriver,
  { options, terminal }: CommandInput,
): Promise<number> {
  const style = { ...terminal, nowMs: Date.now() }
  const groups = options.group ? await journal.groups(filter) : null
  const entries = groups ? [] : await journal.list(filter)
  if (options.json) {
    terminal.print(JSON.stringify(groups ?? entries, null, 2))
    return 0
  }
  const lines = groups ? groupLines(groups, style) : entryLines(entries, style)
  for (const line of lines) terminal.print(line)
  if (lines.length === 0) terminal.print('The journal holds no such errors.')
  return 0
}

async function printOne(
  digest: string,
  root: string,
  journal: JournalDriver,
  { options, terminal }: CommandInput,
): Promise<number> {
  const found = await journal.find(digest)
  const entry = found?.kind === 'alike' ? found.example : found?.entry
  if (!found || (!entry && !options.json)) return failToFind(digest, found, terminal)
  const buildDir = path.join(root, buildLayout.folder)
  const mapStack = createStackMapper({ root, buildDir, currentBuildId: buildIdIn(buildDir) })
  const detail = entry ? await describeEntry(entry, mapStack) : null
  if (options.json) {
    const alike = found.kind === 'alike' ? found.alike : null
    terminal.print(JSON.stringify({ digest, alike, entry: detail && detailJson(detail) }, null, 2))
    return 0
  }
  if (found.kind === 'alike') {
    terminal.print(`${alikeText(digest, found)} This is another of its kind.\n`)
  }
  if (!detail) return 0
  const age = `${formatDuration(Date.now() - detail.entry.timeMs)} ago`
  const style = { root, paint: terminal.paint, age }
  for (const line of detailLines(detail, style)) terminal.print(line)
  return 0
}

function failToFind(digest: string, found: FoundOccurrence | null, terminal: Terminal): number {
  if (found?.kind === 'alike') {
    terminal.fail(alikeText(digest, found), 'Of its kind, none is kept whole any more.')
    return 1
  }
  terminal.fail(
    `The journal of this app holds no error ${digest}.`,
    'It keeps 14 days and 64 MB. Name the folder of another app: waymark errors <digest> <folder>',
  )
  return 1
}

function alikeText(digest: string, found: FoundOccurrence & { kind: 'alike' }): string {
  const { count, fromMs, toMs, fingerprint } = found.alike
  const span = `between ${new Date(fromMs).toISOString()} and ${new Date(toMs).toISOString()}`
  return `${digest} is one of ${count} errors of the kind ${fingerprint} ${span}, too many to be kept whole.`
}

function buildIdIn(buildDir: string): string | null {
  try {
    const facts = JSON.parse(readFileSync(path.join(buildDir, buildLayout.facts), 'utf8'))
    return (facts as BuildManifest).buildId
  } catch {
    // In development there is no build.
    return null
  }
}

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
