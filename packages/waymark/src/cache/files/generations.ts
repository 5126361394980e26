import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ownerOnly } from './ownerOnly.ts'

/** A file that is longer is followed by another. */
export const maxFileBytes = 2 ** 20

// Places in one file fit in 22 bits as long as no line is longer than three megabytes.
const placesPerFile = 2 ** 22
const epochMs = Date.UTC(2026, 0, 1)
const name = /^invalidations-(\d+)\.log$/

/** A place in the files as one number that only grows. */
export function positionInLog(generation: number, offset: number): number {
  return generation * placesPerFile + Math.min(offset, placesPerFile - 1)
}

/** The path of a file. */
export function segmentFile(folder: string, generation: number): string {
  return path.join(folder, `invalidations-${generation}.log`)
}

/** The files that are there, the oldest first. */
export async function findSegmentFiles(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  const found = names.flatMap((each) => {
    const [, generation] = name.exec(each) ?? []
    return generation === undefined ? [] : Number(generation)
  })
  return found.sort((a, b) => a - b)
}

/**
 * Begins the file after another one; of those before it, one is kept for processes that still
 * read it. Files are numbered by the clock: after a loss of all, numbers go on growing.
 * @returns its number, also when another process was first
 */
export async function beginSegmentFile(folder: string, after: number): Promise<number> {
  const generation = Math.max(after + 1, Math.floor((Date.now() - epochMs) / 1_000))
  const newer = (await findSegmentFiles(folder)).find((each) => each > after)
  if (newer !== undefined) return newer
  const options = { flag: 'wx', mode: ownerOnly.file }
  await writeFile(segmentFile(folder, generation), '', options).catch(ignoreExisting)
  const older = (await findSegmentFiles(folder)).filter((each) => each < after)
  for (const each of older) await rm(segmentFile(folder, each), { force: true })
  return generation
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
