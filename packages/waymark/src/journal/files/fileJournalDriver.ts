import { type FileHandle, lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { JournalDriver } from '../journalDriver.ts'
import { createLineQueue, createStoredJournal, type LineQueueOptions } from '../storedJournal.ts'

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

/** A file of a journal: `2026-11-21-4711.jsonl`, then `2026-11-21-4711.1.jsonl`. */
type JournalFile = {
  readonly path: string
  /** UTC, as in `2026-11-21`. */
  readonly day: string
  readonly bytes: number
  readonly changedAtMs: number
}

const namePattern = /^(\d{4}-\d\d-\d\d)-\d+(?:\.\d+)?\.jsonl$/

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/**
 * Lists the files of a journal, the one that was changed last first.
 * @returns nothing for a folder that is not there
 */
async function listJournalFiles(folder: string): Promise<JournalFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = await Promise.all(names.map((name) => fileOf(folder, name)))
  return files.flatMap((file) => file ?? []).sort((a, b) => b.changedAtMs - a.changedAtMs)
}

async function fileOf(folder: string, name: string): Promise<JournalFile | null> {
  const day = namePattern.exec(name)?.[1]
  if (day === undefined) return null
  const file = path.join(folder, name)
  // Another process may have removed it meanwhile.
  const found = await lstat(file).catch(() => null)
  // A link could lead to anything, and a device never ends.
  if (!found?.isFile()) return null
  return { path: file, day, bytes: found.size, changedAtMs: found.mtimeMs }
}

/** Where lines are appended to. */
type AppendOptions = Required<Pick<FilesJournalOptions, 'folder' | 'pid' | 'now'>> & {
  /** A file that has reached this is followed by a new one. */
  readonly maxFileBytes: number
  /** Called after each append that succeeded. */
  readonly onAppended: (bytes: number) => Promise<void>
}

/**
 * Creates the function that appends to a journal's files: one a day and process, more when they
 * grow large. No file stays open: another process may remove it at any time.
 */
function createAppendLines(options: AppendOptions): LineQueueOptions['append'] {
  const { folder, pid, now, maxFileBytes, onAppended } = options
  let day = ''
  /** The files that this process has filled on that day. */
  let rotation = 0
  /** The file of which this process knows that its last line is whole. */
  let wholeFile = ''

  /** Opens the file to append to; a full one is passed over. */
  async function openCurrent() {
    const today = dayOf(now())
    if (today !== day) rotation = 0
    day = today
    for (; ; rotation++) {
      const name = `${day}-${pid}${rotation === 0 ? '' : `.${rotation}`}.jsonl`
      const file = path.join(folder, name)
      const handle = await openToAppend(file)
      const { size } = await handle.stat()
      if (size < maxFileBytes) return { file, handle, size }
      await handle.close()
    }
  }

  return async (lines) => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    let written = 0
    let handle: FileHandle | undefined
    try {
      const current = await openCurrent()
      handle = current.handle
      // A process of the same id may have been killed in the middle of a line.
      if (current.size > 0 && current.file !== wholeFile) await handle.write('\n')
      wholeFile = ''
      // Whole lines, in one write, don't mix with those of others.
      while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten
      wholeFile = current.file
      await onAppended(bytes.length)
      return { count: lines.length, error: null }
    } catch (error) {
      // A full disk takes a part at first.
      const count = bytes.toString('utf8', 0, written).split('\n').length - 1
      return { count, error }
    } finally {
      await handle?.close().catch(() => {})
    }
  }
}

// Errors may quote what users typed: the files are for the owner of the process alone.
async function openToAppend(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'a', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    return open(file, 'a', 0o600)
  }
}

const dayMs = 86_400_000

/**
 * Removes the oldest files of a journal until it is within its limits. Several processes may do so
 * at once, also to a file that one of them writes: it then begins a new one.
 */
async function pruneJournal(
  folder: string,
  { maxBytes, maxDays }: Required<Pick<FilesJournalOptions, 'maxBytes' | 'maxDays'>>,
  nowMs: number,
): Promise<void> {
  const firstDay = dayOf(nowMs - (maxDays - 1) * dayMs)
  let total = 0
  for (const { path: file, day, bytes } of await listJournalFiles(folder)) {
    if (day >= firstDay) total += bytes
    if (day < firstDay || total > maxBytes) await rm(file, { force: true })
  }
}
