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
