import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'

/** A file of a journal, as the folder tells of it. */
export type JournalFile = {
  readonly path: string
  /** UTC, as in `2026-11-21`. */
  readonly day: string
  readonly bytes: number
  readonly changedAtMs: number
}

const pattern = /^(\d{4}-\d\d-\d\d)-\d+(?:\.\d+)?\.jsonl$/

/** The day of a time, in UTC. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/**
 * Names a file of a journal: `2026-11-21-4711.jsonl`, then `2026-11-21-4711.1.jsonl`.
 * @param rotation from 0; the files that one process filled on that day
 */
export function journalFileName(day: string, pid: number, rotation: number): string {
  return `${day}-${pid}${rotation === 0 ? '' : `.${rotation}`}.jsonl`
}

/**
 * Lists the files of a journal, the one that was changed last first.
 * @returns nothing for a folder that is not there
 */
export async function listJournalFiles(folder: string): Promise<JournalFile[]> {
  const files = await Promise.all((await namesIn(folder)).map((name) => fileOf(folder, name)))
  return files.flatMap((file) => file ?? []).sort((a, b) => b.changedAtMs - a.changedAtMs)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function fileOf(folder: string, name: string): Promise<JournalFile | null> {
  const day = pattern.exec(name)?.[1]
  if (day === undefined) return null
  const file = path.join(folder, name)
  try {
    const found = await lstat(file)
    // A link could lead to anything, and a device never ends.
    if (!found.isFile()) return null
    const { size, mtimeMs } = found
    return { path: file, day, bytes: size, changedAtMs: mtimeMs }
  } catch {
    // Another process has removed it meanwhile.
    return null
  }
}
