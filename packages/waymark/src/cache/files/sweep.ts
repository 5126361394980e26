import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { unfinished } from './entryFiles.ts'

/** Keeps a folder within its bound. */
export type SweepTimer = {
  /** To be told of each write. */
  wrote(bytes: number): void
  /** Resolves once no sweep runs. */
  end(): Promise<void>
}

/** What is swept. */
export type SweepOptions = {
  /** Holds folders of entries. */
  readonly folder: string
  readonly maxBytes: number
}

type Found = { readonly file: string; readonly bytes: number; readonly atMs: number }

// A file takes up whole blocks.
const blockBytes = 4_096
// A process that writes a file for longer is gone.
const unfinishedMs = 60_000

/**
 * Sweeps when the first entry is written, and whenever a process has written 1/32 of the bound.
 */
export function createSweepTimer(options: SweepOptions): SweepTimer {
  let bytesLeft = 0
  let running: Promise<void> | null = null
  return {
    wrote(bytes) {
      bytesLeft -= roomOf(bytes)
      if (bytesLeft > 0 || running) return
      bytesLeft = options.maxBytes / 32
      running = sweep(options, Date.now())
        // What can't be removed now may be at the next time.
        .catch(() => {})
        .finally(() => {
          running = null
        })
    },
    async end() {
      await running
    },
  }
}

/** Removes what was read least recently until there is room, and what nobody finished. */
export async function sweep({ folder, maxBytes }: SweepOptions, nowMs: number): Promise<void> {
  const found = await filesBelow(folder)
  const isLost = ({ file, atMs }: Found) => file.endsWith(unfinished) && nowMs - atMs > unfinishedMs
  for (const each of found.filter(isLost)) await rm(each.file, { force: true })
  const kept = found.filter((each) => !isLost(each)).sort((a, b) => a.atMs - b.atMs)
  let bytes = kept.reduce((sum, each) => sum + each.bytes, 0)
  if (bytes <= maxBytes * (7 / 8)) return
  for (const each of kept) {
    if (bytes <= maxBytes * (3 / 4)) return
    await rm(each.file, { force: true })
    bytes -= each.bytes
  }
}

async function filesBelow(folder: string): Promise<Found[]> {
  const found: Found[] = []
  for (const shard of await readdir(folder)) {
    const names = await readdir(path.join(folder, shard)).catch(() => [])
    const files = names.map((name) => path.join(folder, shard, name))
    const stats = await Promise.all(files.map((file) => stat(file).catch(() => null)))
    for (const [at, file] of files.entries()) {
      const { size, mtimeMs } = stats[at] ?? { size: 0, mtimeMs: 0 }
      if (stats[at]) found.push({ file, bytes: roomOf(size), atMs: mtimeMs })
    }
  }
  return found
}

function roomOf(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes
}
