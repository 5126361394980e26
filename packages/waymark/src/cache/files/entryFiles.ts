import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { CacheEntry } from '../cacheDriver.ts'
import { decodeEntry, encodeEntry } from '../entryCodec.ts'
import type { DegradedMode } from './degradedMode.ts'
import { writePrivateFile } from './ownerOnly.ts'

/** Entries in files, one each. */
export type EntryFiles = {
  read(key: string): Promise<CacheEntry | null>
  write(key: string, entry: CacheEntry): Promise<void>
  remove(key: string): Promise<void>
}

/** What the files need. */
export type EntryFilesOptions = {
  readonly folder: string
  readonly trouble: DegradedMode
  /** Hears of entries that can't be read. */
  readonly log: (line: string) => void
  readonly onWritten: (bytes: number) => void
}

/** The end of the name of a file that is being written. */
export const unfinished = '.part'

/** Makes the files of a folder accessible by key. */
export function createEntryFiles({
  folder,
  trouble,
  log,
  onWritten,
}: EntryFilesOptions): EntryFiles {
  function fileOf(key: string): string {
    const name = createHash('sha256').update(key).digest('hex')
    return path.join(folder, name.slice(0, 2), name.slice(2))
  }

  async function remove(key: string): Promise<void> {
    // What can't be removed is checked again when it is read.
    await rm(fileOf(key), { force: true }).catch(() => {})
  }

  return {
    remove,
    async read(key) {
      const file = fileOf(key)
      const bytes = await readFile(file).catch(() => null)
      if (bytes === null) return null
      const entry = decodeEntry(bytes)
      if (!entry) {
        log(`The cache entry ${key} can't be read, and is computed anew: ${file}.`)
        await remove(key)
        return null
      }
      // The one that was read least recently makes room. Whoever removed it meanwhile was right.
      const now = new Date()
      void utimes(file, now, now).catch(() => {})
      return entry
    },
    async write(key, entry) {
      const file = fileOf(key)
      const part = `${file}.${randomUUID()}${unfinished}`
      const bytes = encodeEntry(entry)
      const isWritten = await trouble.write(async () => {
        await writePrivateFile(part, bytes)
        // Readers see the old one or the new one, and never a half.
        await rename(part, file)
      })
      if (isWritten) onWritten(bytes.length)
      else await rm(part, { force: true }).catch(() => {})
    },
  }
}

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
