import {
  chooseMatch,
  collectEntries,
  collectGroups,
  holdsDigest,
  type QueryCollector,
} from './collect.ts'
import type { JournalDriver } from './driver.ts'
import type { JournalEntry } from './entry.ts'
import { createAppendLines } from './files/appendFile.ts'
import { createLineQueue } from './files/lineQueue.ts'
import { pruneJournal } from './files/prune.ts'
import { collectFiles, matchFiles } from './files/readFiles.ts'
import { decodeRecord, encodeRecord } from './record.ts'

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
