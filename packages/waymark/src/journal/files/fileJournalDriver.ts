import { readFile, rm } from 'node:fs/promises'
import type { JournalDriver } from '../journalDriver.ts'
import type { JournalEntry } from '../journalEntry.ts'
import {
  chooseMatch,
  collectEntries,
  collectGroups,
  type DigestMatches,
  holdsDigest,
  type QueryCollector,
} from '../query.ts'
import { type AggregateRecord, decodeRecord, encodeRecord } from '../record.ts'
import { createAppendLines, createLineQueue } from './appendLines.ts'
import { dayOf, type JournalFile, listJournalFiles } from './fileNames.ts'

/** A journal in a folder. */
export type FilesJournalOptions = {
  /** Made when the first error occurs. */
  readonly folder: string
  /** Hears once that the folder can't be written to, and once that it can again. */
  readonly log?: (line: string) => void
  /** Of all files together; default 64 MB. Checked whenever a process has written 1/64 of it. */
  readonly maxBytes?: number
  /** Today included; default 14. */
  readonly maxDays?: number
  /** How long an entry waits for others to be written with; default 50 ms. */
  readonly batchMs?: number
  readonly now?: () => number
  readonly pid?: number
}

/**
 * Makes a journal that appends lines of JSON to files. Several processes may share its folder.
 */
export function createFilesJournal(options: FilesJournalOptions): JournalDriver {
  const {
    folder,
    now = Date.now,
    pid = process.pid,
    maxBytes = 64 * 2 ** 20,
    maxDays = 14,
  } = options
  const log = options.log ?? ((line) => console.error(line))
  const maxFileBytes = maxBytes / 16
  // A share of the whole stays free for what is written between two looks at it.
  const limits = { maxBytes: maxBytes * (7 / 8), maxDays }
  const prune = createPruning(maxBytes / 64, () => pruneJournal(folder, limits, now()))
  const queue = createLineQueue({
    append: createAppendLines({ folder, pid, now, maxFileBytes }),
    onAppended: prune,
    log,
    batchMs: options.batchMs ?? 50,
    maxWaiting: maxFileBytes,
    maxBatch: maxFileBytes / 4,
  })

  async function collect<Result>(collector: QueryCollector<Result>): Promise<Result> {
    await queue.flush()
    for (const line of queue.waiting()) take(collector, line)
    await collectFiles(folder, collector)
    return collector.result()
  }

  return {
    write(record) {
      const line = encodeRecord(record)
      if (line !== null) queue.push(line)
    },
    list: (filter) => collect(collectEntries(filter)),
    groups: (filter) => collect(collectGroups(filter)),
    async find(digest) {
      await queue.flush()
      const { entries, alike } = await matchFiles(folder, digest)
      const waiting = entriesIn(queue.waiting(), digest)
      const example = alike?.example ? await matchFiles(folder, alike.example) : null
      return chooseMatch({ entries: [...waiting, ...entries], alike }, example?.entries[0] ?? null)
    },
    flush: () => queue.flush(),
    close: () => queue.close(),
  }
}

/** Calls a function at the first append, and whenever some more bytes have been appended. */
function createPruning(
  everyBytes: number,
  prune: () => Promise<void>,
): (bytes: number) => Promise<void> {
  let bytesLeft = 0
  return async (bytes) => {
    bytesLeft -= bytes
    if (bytesLeft > 0) return
    bytesLeft = everyBytes
    try {
      await prune()
    } catch {
      // What can't be removed now may be at the next time; the entries themselves are written.
    }
  }
}

function take(collector: QueryCollector<unknown>, line: string): void {
  const record = decodeRecord(line)
  if (record) collector.take(record)
}

function entriesIn(lines: readonly string[], digest: string): JournalEntry[] {
  return lines.flatMap((line) => {
    const record = line.includes(digest) ? decodeRecord(line) : null
    return record?.kind === 'error' && holdsDigest(record, digest) ? [record] : []
  })
}

// Entries are older than the file they stand in was changed, if all clocks agree.
const clockSlackMs = 60_000

/** Gives the records of a journal's files to a collector, as long as they can matter to it. */
export async function collectFiles(
  folder: string,
  collector: QueryCollector<unknown>,
): Promise<void> {
  for (const file of await listJournalFiles(folder)) {
    if (file.changedAtMs + clockSlackMs < collector.enoughBeforeMs) return
    for (const line of (await contents(file.path)).toString('utf8').split('\n')) {
      const record = line === '' ? null : decodeRecord(line)
      if (record) collector.take(record)
    }
  }
}

/** Finds the records that hold a digest, in the newest files first. */
export async function matchFiles(folder: string, digest: string): Promise<DigestMatches> {
  const entries: JournalEntry[] = []
  let alike: AggregateRecord | null = null
  for (const file of await listJournalFiles(folder)) {
    for (const line of linesWith(await contents(file.path), digest)) {
      const record = decodeRecord(line)
      if (!record || !holdsDigest(record, digest)) continue
      if (record.kind === 'error') entries.push(record)
      else alike = record
    }
    // A browser may have taken a digest of the server, so its entry alone ends no search.
    if (entries.some(({ phase }) => phase !== 'browser')) break
  }
  return { entries, alike }
}

async function contents(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch {
    // Another process has removed it meanwhile, or it belongs to another user.
    return Buffer.alloc(0)
  }
}

/** The lines that hold a text. Bytes are compared: to decode 64 MB takes much longer. */
function* linesWith(bytes: Buffer, text: string): Iterable<string> {
  for (let at = bytes.indexOf(text); at !== -1; ) {
    const end = bytes.indexOf(10, at)
    const lineEnd = end === -1 ? bytes.length : end
    yield bytes.toString('utf8', bytes.lastIndexOf(10, at) + 1, lineEnd)
    at = bytes.indexOf(text, lineEnd)
  }
}

/** How much a journal's folder may hold. */
export type PruneLimits = { readonly maxBytes: number; readonly maxDays: number }

const dayMs = 86_400_000

/**
 * Removes the oldest files of a journal until it keeps its limits. Several processes may do so at
 * once, also to a file that one of them writes: it then begins a new one.
 */
export async function pruneJournal(
  folder: string,
  { maxBytes, maxDays }: PruneLimits,
  nowMs: number,
): Promise<void> {
  const files = await listJournalFiles(folder)
  const firstDay = dayOf(nowMs - (maxDays - 1) * dayMs)
  const old = files.filter(({ day }) => day < firstDay)
  const kept = files.filter(({ day }) => day >= firstDay)
  const removed = [...old, ...beyond(kept, maxBytes)]
  await Promise.all(removed.map((file) => rm(file.path, { force: true })))
}

/** The files that don't fit any more, counted from the newest. */
function beyond(newestFirst: readonly JournalFile[], maxBytes: number): JournalFile[] {
  let total = 0
  return newestFirst.filter(({ bytes }) => {
    total += bytes
    return total > maxBytes
  })
}
