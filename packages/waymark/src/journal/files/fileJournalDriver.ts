import { type FileHandle, lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { JournalDriver } from '../journalDriver.ts'
import { createLineQueue, createStoredJournal } from '../storedJournal.ts'

/** Options of a journal in a folder. */
export type FilesJournalOptions = {
  /** The journal's folder, created when the first error is stored. */
  readonly folder: string
  /** Called once when writing fails, and once when it works again. */
  readonly log?: (line: string) => void
  /**
   * Maximum bytes of all files; default 64 MB. Records that anybody can cause, such as browsers'
   * reports, may use a quarter of it. Checked each time that 1/64 of it has been written.
   */
  readonly maxBytes?: number
  /** Number of days for which files are kept, including today; default 14. */
  readonly maxDays?: number
  /** Milliseconds for which an entry waits for further entries, so that they are written together; default 50. */
  readonly batchMs?: number
  readonly now?: () => number
  readonly pid?: number
}

// Milliseconds by which clocks may differ. Otherwise, a file's modification time is always later
// than its entries.
const clockSlackMs = 60_000

/** Creates a journal that appends lines of JSON to files. Several processes may share the folder. */
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
  let bytesToPruning = 0

  async function onAppended(bytes: number): Promise<void> {
    bytesToPruning -= bytes
    if (bytesToPruning > 0) return
    bytesToPruning = maxBytes / 64
    // The next check tries again, so ignore errors.
    const firstDay = dayOf(now() - (maxDays - 1) * dayMs)
    await pruneJournal(folder, maxBytes, firstDay).catch(() => {})
  }

  const appendAs = (writer: string) =>
    createAppendLines({ folder, writer, now, maxFileBytes, onAppended })
  const ofServer = appendAs(`${pid}`)
  const ofStrangers = appendAs(`${pid}-strangers`)

  const queue = createLineQueue({
    append: (lines, areOfStrangers) => (areOfStrangers ? ofStrangers : ofServer)(lines),
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
        // A different process may have removed the file, or a different user may own it, so ignore
        // errors.
        const bytes = await readFile(file.path).catch(() => Buffer.alloc(0))
        const { digest } = query
        const lines = digest ? linesWith(bytes, digest) : bytes.toString('utf8').split('\n')
        for (const line of lines) onLine(line)
      }
    },
  })
}

/**
 * Finds the lines that contain a string. Compares bytes, because decoding 64 MB would take much
 * longer.
 */
function* linesWith(bytes: Buffer, text: string): Iterable<string> {
  for (let at = bytes.indexOf(text); at !== -1; ) {
    const end = bytes.indexOf(10, at)
    const lineEnd = end === -1 ? bytes.length : end
    yield bytes.toString('utf8', bytes.lastIndexOf(10, at) + 1, lineEnd)
    at = bytes.indexOf(text, lineEnd)
  }
}

// Files are named `2026-11-21-4711.jsonl`, then `2026-11-21-4711.1.jsonl`. Files with browsers'
// reports are named `2026-11-21-4711-strangers.jsonl`.
const namePattern = /^(\d{4}-\d\d-\d\d)-\d+(-strangers)?(?:\.\d+)?\.jsonl$/

const dayMs = 86_400_000

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/** Returns a journal's files, last changed first. Empty if the folder is missing. */
async function listJournalFiles(folder: string) {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = await Promise.all(names.map((name) => fileOf(folder, name)))
  return files.flatMap((file) => file ?? []).sort((a, b) => b.changedAtMs - a.changedAtMs)
}

async function fileOf(folder: string, name: string) {
  const [, day, strangers] = namePattern.exec(name) ?? []
  if (day === undefined) return null
  const file = path.join(folder, name)
  // A different process may have removed the file, so ignore errors.
  const stats = await lstat(file).catch(() => null)
  // A link may lead anywhere, and a device may never end.
  if (!stats?.isFile()) return null
  const isOfStrangers = strangers !== undefined
  return { path: file, day, isOfStrangers, bytes: stats.size, changedAtMs: stats.mtimeMs }
}

type AppendOptions = Required<Pick<FilesJournalOptions, 'folder' | 'now'>> & {
  readonly writer: string
  readonly maxFileBytes: number
  readonly onAppended: (bytes: number) => Promise<void>
}

/**
 * Creates a function that appends lines to a file whose name contains the day and the process id.
 * The file doesn't stay open, because a different process may remove it.
 */
function createAppendLines(options: AppendOptions) {
  const { folder, writer, now, maxFileBytes, onAppended } = options
  let rotation = 0
  /** The file whose last line is complete for certain, because this process wrote it. */
  let wholeFile = ''

  async function openCurrent() {
    // Errors may quote user input, so only the owner may read the folder. `mkdir` applies its mode
    // to all folders that it creates, so create the outer folder first.
    await mkdir(path.dirname(folder), { recursive: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (; ; rotation++) {
      const name = `${dayOf(now())}-${writer}${rotation === 0 ? '' : `.${rotation}`}.jsonl`
      const file = path.join(folder, name)
      const handle = await open(file, 'a', 0o600)
      const { size } = await handle.stat()
      if (size < maxFileBytes) return { file, handle, size }
      await handle.close()
    }
  }

  return async (lines: readonly string[]) => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    let written = 0
    let handle: FileHandle | undefined
    try {
      const current = await openCurrent()
      handle = current.handle
      // A killed process with the same id may have left an incomplete line, so start with a line
      // break.
      if (current.size > 0 && current.file !== wholeFile) await handle.write('\n')
      wholeFile = ''
      // A single write of whole lines doesn't mix with other processes' lines.
      while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten
      wholeFile = current.file
      await onAppended(bytes.length)
      return { count: lines.length, error: null }
    } catch (error) {
      // A full disk may have stored only some of the lines.
      const count = bytes.toString('utf8', 0, written).split('\n').length - 1
      return { count, error }
    } finally {
      await handle?.close().catch(() => {})
    }
  }
}

/** Removes the oldest files. A process whose file is removed starts a new one. */
async function pruneJournal(folder: string, maxBytes: number, firstDay: string): Promise<void> {
  // Keep an eighth free for lines that are written between two checks. Only whole files can be
  // removed, so strangers' records get just a quarter. The server's own records are then certain to
  // have half of the space.
  let free = maxBytes * (7 / 8)
  let freeForStrangers = maxBytes / 4
  for (const { path: file, day, bytes, isOfStrangers } of await listJournalFiles(folder)) {
    if (isOfStrangers) freeForStrangers -= bytes
    const isOver = day < firstDay || (isOfStrangers && freeForStrangers < 0)
    if (!isOver) free -= bytes
    if (isOver || free < 0) await rm(file, { force: true })
  }
}
