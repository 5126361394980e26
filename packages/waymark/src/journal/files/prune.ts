import { rm } from 'node:fs/promises'
import { dayOf, type JournalFile, listJournalFiles } from './fileNames.ts'

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
