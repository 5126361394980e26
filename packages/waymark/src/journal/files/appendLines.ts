import { type FileHandle, mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { dayOf, journalFileName } from './fileNames.ts'

/** What became of lines that were to be appended. */
export type Appended = {
  /** How many of them are in the file, whole. */
  readonly count: number
  /** What went wrong then, if anything did. */
  readonly error: unknown
  readonly bytes: number
}

/** Appends lines to the file that is current. */
export type AppendLines = (lines: readonly string[]) => Promise<Appended>

/** Where lines are appended to. */
export type AppendOptions = {
  readonly folder: string
  readonly pid: number
  readonly now: () => number
  /** A file that has reached this is followed by a new one. */
  readonly maxFileBytes: number
}

/**
 * Makes the function that appends to a journal's files: one a day and process, more when they grow
 * large. No file stays open: another process may remove it at any time.
 */
export function createAppendLines(options: AppendOptions): AppendLines {
  let current = { path: '', day: '', rotation: 0, endsCut: false }

  /** Opens the file to append to; a full one is passed over. */
  async function openCurrent(): Promise<{ handle: FileHandle; size: number }> {
    const day = dayOf(options.now())
    if (day !== current.day) current = { path: '', day, rotation: 0, endsCut: false }
    for (;;) {
      const file = path.join(options.folder, journalFileName(day, options.pid, current.rotation))
      const handle = await openToAppend(file)
      const { size } = await handle.stat()
      if (size < options.maxFileBytes) {
        // A process of the same id may have been killed in the middle of a line.
        if (file !== current.path) current = { ...current, path: file, endsCut: size > 0 }
        return { handle, size }
      }
      await handle.close()
      current = { ...current, rotation: current.rotation + 1 }
    }
  }

  return async (lines) => {
    let handle: FileHandle | undefined
    try {
      const opened = await openCurrent()
      handle = opened.handle
      const lead = current.endsCut && opened.size > 0 ? '\n' : ''
      const bytes = Buffer.from(`${lead}${lines.join('\n')}\n`)
      const { written, error } = await writeAll(handle, bytes)
      current = { ...current, endsCut: error !== null }
      const count = lineCount(bytes.subarray(0, written)) - lead.length
      return { count: Math.max(0, count), error, bytes: written }
    } catch (error) {
      return { count: 0, error, bytes: 0 }
    } finally {
      await handle?.close().catch(() => {})
    }
  }
}

// Errors may quote what people typed: the files are for the owner of the process alone.
async function openToAppend(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'a', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    return open(file, 'a', 0o600)
  }
}

// A full disk takes a part at first. Whole lines, in one write, don't mix with those of others.
async function writeAll(
  handle: FileHandle,
  bytes: Buffer,
): Promise<{ written: number; error: unknown }> {
  let written = 0
  try {
    while (written < bytes.length) {
      const { bytesWritten } = await handle.write(bytes, written)
      written += bytesWritten
    }
    return { written, error: null }
  } catch (error) {
    return { written, error }
  }
}

function lineCount(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte === 10) count++
  return count
}

/** Lines on their way to a file. */
export type LineQueue = {
  /** Returns at once. */
  push(line: string): void
  /** Those that are not in a file yet, the oldest first. */
  waiting(): readonly string[]
  /** Tries at once to append all. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** What a queue is made of. */
export type LineQueueOptions = LineBufferLimits & {
  readonly append: AppendLines
  /** Called after each successful append. */
  readonly onAppended: (bytes: number) => Promise<void>
  /** Hears once that appending fails, with the reason, and once that it works again. */
  readonly log: (line: string) => void
  /** How long a line waits for others to be appended with. */
  readonly batchMs: number
}

/** Makes a queue: what it appends, it appends in batches, one after the other. */
export function createLineQueue(options: LineQueueOptions): LineQueue {
  const waiting = createLineBuffer(options)
  const retry = createRetry(options.log)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let isClosed = false

  function schedule(): void {
    if (timer || running || isClosed || waiting.lines.length === 0) return
    timer = setTimeout(start, retry.delayMs || options.batchMs)
    // A disk that stays full must not keep the process alive.
    if (retry.delayMs > 0) timer.unref()
  }

  function start(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    running ??= drain().finally(() => {
      running = null
      schedule()
    })
    return running
  }

  async function drain(): Promise<void> {
    while (waiting.lines.length > 0) {
      const batch = waiting.takeBatch()
      const { count, error, bytes } = await options.append(batch)
      if (error) {
        waiting.putBack(batch.slice(count))
        return retry.failed(error)
      }
      retry.worked(waiting.takeLost())
      await options.onAppended(bytes)
    }
  }

  async function flush(): Promise<void> {
    await running
    if (waiting.lines.length > 0) await start()
  }

  return {
    push(line) {
      if (isClosed) return
      waiting.add(line)
      schedule()
    },
    waiting: () => waiting.lines,
    flush,
    async close() {
      await flush()
      isClosed = true
      clearTimeout(timer)
    },
  }
}

const firstRetryMs = 1_000
const lastRetryMs = 60_000

/** Remembers whether appending fails, and says so once. */
function createRetry(log: (line: string) => void) {
  let delayMs = 0
  return {
    /** 0 while all is well. */
    get delayMs() {
      return delayMs
    },
    failed(error: unknown): void {
      const reason = error instanceof Error ? error.message : String(error)
      if (delayMs === 0) log(`The journal can't be written: ${reason}. It is tried again.`)
      delayMs = Math.min(delayMs * 2 || firstRetryMs, lastRetryMs)
    },
    worked(lost: number): void {
      if (delayMs > 0) log(`The journal is written again. ${lost} of its entries were lost.`)
      delayMs = 0
    },
  }
}

/** Lines that wait to be written, the oldest first; above a length the oldest are lost. */
export type LineBuffer = {
  readonly lines: readonly string[]
  add(line: string): void
  /** Takes out the oldest, as many as one write may hold; at least one, if there is one. */
  takeBatch(): string[]
  /** Puts back what could not be written. */
  putBack(batch: readonly string[]): void
  /** How many were lost since the last question. */
  takeLost(): number
}

/** Lengths in UTF-16 units. */
export type LineBufferLimits = { readonly maxWaiting: number; readonly maxBatch: number }

/** Makes an empty list. */
export function createLineBuffer({ maxWaiting, maxBatch }: LineBufferLimits): LineBuffer {
  let lines: string[] = []
  let length = 0
  let lost = 0

  function loseOldest(): void {
    while (length > maxWaiting && lines.length > 0) {
      length -= lines.shift()?.length ?? 0
      lost++
    }
  }

  return {
    get lines() {
      return lines
    },
    add(line) {
      lines.push(line)
      length += line.length
      loseOldest()
    },
    takeBatch() {
      const batch = lines.splice(0, batchSize(lines, maxBatch))
      length -= lengthOf(batch)
      return batch
    },
    putBack(batch) {
      lines = [...batch, ...lines]
      length += lengthOf(batch)
      loseOldest()
    },
    takeLost() {
      const count = lost
      lost = 0
      return count
    },
  }
}

function batchSize(lines: readonly string[], maxLength: number): number {
  let length = 0
  const end = lines.findIndex((line) => {
    length += line.length
    return length > maxLength
  })
  return end === -1 ? lines.length : Math.max(1, end)
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}
