import { readFile } from 'node:fs/promises'
import type { JournalDriver } from '../journalDriver.ts'
import { createLineQueue } from '../lineQueue.ts'
import { createStoredJournal } from '../storedJournal.ts'
import { createAppendLines, listJournalFiles, pruneJournal } from './journalFiles.ts'

/** A journal in a folder. */
export type FilesJournalOptions = {
  /** Created when the first error occurs. */
  readonly folder: string
  /** Called once when the folder can't be written to, and once when it can again. */
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

// Entries are older than the file they stand in was changed, if all clocks agree.
const clockSlackMs = 60_000

/**
 * Creates a journal that appends lines of JSON to files. Several processes may share its folder.
 */
export function createFilesJournal({
  folder,
  log = (line) => console.error(line),
  maxBytes = 64 * 2 ** 20,
  maxDays = 14,
  batchMs = 50,
  now = Date.now,
  pid = process.pid,
}: FilesJournalOptions): JournalDriver {
  const maxFileBytes = maxBytes / 16
  // A share of the whole stays free for what is written between two looks at it.
  const limits = { maxBytes: maxBytes * (7 / 8), maxDays }
  let bytesToPruning = 0

  async function onAppended(bytes: number): Promise<void> {
    bytesToPruning -= bytes
    if (bytesToPruning > 0) return
    bytesToPruning = maxBytes / 64
    // What can't be removed now may be at the next time; the entries themselves are written.
    await pruneJournal(folder, limits, now()).catch(() => {})
  }

  const queue = createLineQueue({
    append: createAppendLines({ folder, pid, now, maxFileBytes, onAppended }),
    log,
    batchMs,
    maxWaiting: maxFileBytes,
    maxBatch: maxFileBytes / 4,
  })

  return createStoredJournal({
    ...queue,
    async read(query, onLine) {
      queue.waiting().forEach(onLine)
      for (const file of await listJournalFiles(folder)) {
        if (file.changedAtMs + clockSlackMs < query.enoughBeforeMs) return
        // Another process may have removed it meanwhile, or it belongs to another user.
        const bytes = await readFile(file.path).catch(() => Buffer.alloc(0))
        const { digest } = query
        const lines = digest ? linesWith(bytes, digest) : bytes.toString('utf8').split('\n')
        for (const line of lines) onLine(line)
      }
    },
  })
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
