import { existsSync } from 'node:fs'
import path from 'node:path'
import { buildLayout } from '../builds/buildManifest.ts'
import { describeEntry, detailJson, detailLines, type EntryDetail } from '../journal/detail.ts'
import type { DigestMatch, JournalDriver, JournalGroup } from '../journal/journalDriver.ts'
import type { JournalEntry } from '../journal/journalEntry.ts'
import { createStackMapper } from '../journal/sourceMaps.ts'
import { messageLine } from '../journal/thrownText.ts'
import { loadEnvFiles } from '../node/env.ts'
import { findBuildManifest } from '../node/static/manifest.ts'
import { openAppJournal } from './appJournal.ts'
import type { Command, CommandInput } from './arguments.ts'
import { formatDuration } from './commandOptions.ts'
import { alignColumns, type Terminal } from './terminal.ts'

/** Lists the journal's errors, or prints a single error. */
export const errors: Command = async (input) => {
  const { options, terminal } = input
  const root = path.resolve(options.folder ?? '.')
  if (!existsSync(root)) {
    terminal.fail(
      `There is no folder ${root}.`,
      'Pass an existing folder, or a digest such as 6r3v-0m2k-x7q.',
    )
    return 2
  }
  loadEnvFiles(root, options.mode ?? 'production', process.env)
  const log = (line: string) => terminal.fail(line)
  const journal = await openAppJournal(root, { env: process.env, log })
  try {
    if (options.digest !== undefined) return await printOne(options.digest, root, journal, input)
    return await printList(journal, input)
  } finally {
    await journal.close()
  }
}

/** Creates a function that maps a journal entry's stack to the app's sources. */
export function createDescribe(root: string): (entry: JournalEntry) => Promise<EntryDetail> {
  const buildDir = path.join(root, buildLayout.folder)
  const currentBuildId = findBuildManifest(buildDir)?.buildId ?? null
  const mapStack = createStackMapper({ root, buildDir, currentBuildId })
  return (entry) => describeEntry(entry, mapStack)
}

async function printList(
  journal: JournalDriver,
  { options, terminal }: CommandInput,
): Promise<number> {
  const { since, route, fingerprint, limit } = options
  const sinceMs = since === undefined ? undefined : Date.now() - since
  const filter = { sinceMs, route, fingerprint, limit }
  const groups = options.group ? await journal.groups(filter) : null
  const entries = groups ? [] : await journal.list(filter)
  if (options.json) {
    terminal.printJson(groups ?? entries)
    return 0
  }
  const rows = groups ? groups.map(groupCells) : entries.map(entryCells)
  for (const line of tableLines(rows, terminal)) terminal.print(line)
  if (rows.length === 0) terminal.print('The journal has no matching errors.')
  return 0
}

async function printOne(
  digest: string,
  root: string,
  journal: JournalDriver,
  { options, terminal }: CommandInput,
): Promise<number> {
  const match = await journal.find(digest)
  const entry = match?.kind === 'alike' ? match.example : match?.entry
  if (!match || (!entry && !options.json)) return failToFind(digest, match, terminal)
  const detail = entry ? await createDescribe(root)(entry) : null
  if (options.json) {
    const alike = match.kind === 'alike' ? match.alike : null
    terminal.printJson({ digest, alike, entry: detail && detailJson(detail) })
    return 0
  }
  if (match.kind === 'alike') {
    terminal.print(`${alikeText(digest, match)} This is another error from the group:\n`)
  }
  if (!detail) return 0
  const style = { root, paint: terminal.paint, age: ageOf(detail.entry.timeMs) }
  for (const line of detailLines(detail, style)) terminal.print(line)
  return 0
}

function failToFind(digest: string, match: DigestMatch | null, terminal: Terminal): number {
  const [message, hint] =
    match?.kind === 'alike'
      ? [alikeText(digest, match), 'The journal no longer has the details of any of these errors.']
      : [
          `The journal of this app has no error ${digest}.`,
          "It keeps errors for 14 days, up to 64 MB. To search another app's journal, add its folder: npx waymark errors <digest> <folder>",
        ]
  terminal.fail(message, hint)
  return 1
}

function alikeText(digest: string, { alike }: DigestMatch & { kind: 'alike' }): string {
  const { count, fromMs, toMs, fingerprint } = alike
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString())
  return `${digest} is one of ${count} errors in the group ${fingerprint} between ${from} and ${to}. The journal keeps the details of only a few of them.`
}

function entryCells(entry: JournalEntry): string[] {
  const { digest, timeMs, phase, route } = entry
  return [digest, ageOf(timeMs), phase, route ?? entry.path ?? '', messageLine(entry)]
}

function groupCells({ fingerprint, count, lastMs, latest, routes }: JournalGroup): string[] {
  return [
    fingerprint,
    `${count}×`,
    ageOf(lastMs),
    latest?.digest ?? '',
    (routes[0] ?? '') + (routes.length > 1 ? ` +${routes.length - 1}` : ''),
    latest ? messageLine(latest) : '',
  ]
}

function ageOf(timeMs: number): string {
  return `${formatDuration(Date.now() - timeMs)} ago`
}

/** Formats rows as a table. The last column gets the rest of the line. */
function tableLines(rows: readonly string[][], { columns, paint }: Terminal): string[] {
  return alignColumns(rows).map((cells) => {
    const text = cells.pop() ?? ''
    const [first = '', ...others] = cells
    const width = Math.max(columns - [...cells, ''].join('  ').length, 40)
    const last = text.length > width ? `${text.slice(0, width - 1)}…` : text
    return [paint.bold(first), ...others.map(paint.dim), last].join('  ')
  })
}
