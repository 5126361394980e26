import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { CacheDriver, CacheEntry } from '../cacheDriver.ts'
import { decodeCacheEntry, encodeCacheEntry, servableEntry } from '../cacheEntry.ts'
import { oneAtATime } from '../invalidation.ts'
import { createFileInvalidations } from './fileInvalidations.ts'
import { createFileLeases } from './fileLeases.ts'
import {
  createDegradedMode,
  createPrivateFolder,
  type DegradedMode,
  makePrivateFolder,
  replacePrivateFile,
  unfinished,
} from './privateFiles.ts'

export type FilesDriverOptions = {
  /** The cache's folder, created if it is missing. Processes on one machine may share it. */
  readonly folder: string
  /** Called once when writing fails, once when it works again, and for each damaged entry. */
  readonly log?: (line: string) => void
  /** Maximum bytes of all entries on disk; default 512 MB. */
  readonly maxBytes?: number
  /** Milliseconds between checks for other processes' invalidations; default 250. */
  readonly catchUpMs?: number
  /** Milliseconds after which a killed process loses its leases; default 30 s. */
  readonly leaseMs?: number
}

// Version of the format, used as a folder name. Change it whenever the format changes. Folders of
// other versions aren't touched.
const version = 'v1'

export async function createFilesDriver(options: FilesDriverOptions): Promise<CacheDriver> {
  const { maxBytes = 512 * 2 ** 20, catchUpMs = 250, leaseMs } = options
  const log = options.log ?? ((line: string) => console.error(line))
  const folder = path.join(options.folder, version)
  const entriesFolder = path.join(folder, 'entries')
  const degraded = createDegradedMode(`The cache in ${options.folder}`, log)
  await degraded.try(undefined, async () => {
    // The app chose this folder, so don't change its mode if it exists.
    await createPrivateFolder(options.folder)
    for (const each of [folder, entriesFolder]) await makePrivateFolder(each)
  })
  const files = createEntryFiles({ folder: entriesFolder, maxBytes, degraded, log })
  const leases = createFileLeases({ folder: path.join(folder, 'leases'), degraded, log, leaseMs })
  const invalidations = createFileInvalidations({ folder, degraded, catchUpMs })
  await invalidations.readNew()

  return {
    async get(key) {
      const entry = await files.read(key)
      if (!entry) return null
      // Read the log first, because other processes' invalidations may apply to the entry.
      await invalidations.readNew()
      const servable = servableEntry(entry, invalidations.freshness(entry), Date.now())
      if (!servable) await files.remove(key)
      return servable
    },
    set: files.write,
    delete: files.remove,
    invalidate: invalidations.invalidate,
    position: invalidations.position,
    freshnessByTags: invalidations.freshness,
    onInvalidated: invalidations.onInvalidated,
    isBehind: invalidations.isBehind,
    catchUp: invalidations.catchUp,
    lease: leases.lease,
    async close() {
      invalidations.close()
      await leases.close()
      await files.end()
    },
  }
}

function createEntryFiles({
  folder,
  maxBytes,
  degraded,
  log,
}: Required<Pick<FilesDriverOptions, 'folder' | 'maxBytes' | 'log'>> & {
  readonly degraded: DegradedMode
}) {
  // The next sweep tries again, so ignore errors.
  const sweepFolder = oneAtATime(() => sweep(folder, maxBytes, Date.now()).catch(() => {}))
  let sweeping = Promise.resolve()
  // Bytes that this process may write before the next sweep. The first write starts a sweep, as
  // does each further 1/32 of the limit.
  let bytesLeft = 0

  function fileOf(key: string): string {
    const name = createHash('sha256').update(key).digest('hex')
    return path.join(folder, name.slice(0, 2), name.slice(2))
  }

  async function remove(key: string): Promise<void> {
    // The next read checks the entry again, so ignore errors.
    await rm(fileOf(key), { force: true }).catch(() => {})
  }

  return {
    remove,
    async read(key: string): Promise<CacheEntry | null> {
      const file = fileOf(key)
      const bytes = await readFile(file).catch(() => null)
      if (bytes === null) return null
      const entry = decodeCacheEntry(bytes)
      if (!entry) {
        log(`The cache entry ${key} in ${file} is damaged. It will be computed again.`)
        await remove(key)
        return null
      }
      // Sweeps remove the least recently read files first, so update the file's time. Ignore
      // errors, because a different process may have removed the file.
      const now = new Date()
      void utimes(file, now, now).catch(() => {})
      return entry
    },
    async write(key: string, entry: CacheEntry): Promise<void> {
      const bytes = encodeCacheEntry(entry)
      if (!(await degraded.write(() => replacePrivateFile(fileOf(key), bytes)))) return
      bytesLeft -= roomOf(bytes.length)
      if (bytesLeft > 0) return
      bytesLeft = maxBytes / 32
      sweeping = sweepFolder()
    },
    end: () => sweeping,
  }
}

type StoredFile = { readonly file: string; readonly bytes: number; readonly atMs: number }

// Block size of file systems. Each file occupies whole blocks.
const blockBytes = 4_096
// Milliseconds after which an unfinished file must be from a process that has died.
const unfinishedMs = 60_000

/** Removes the least recently read files beyond the limit, and unfinished files of dead processes. */
export async function sweep(folder: string, maxBytes: number, nowMs: number): Promise<void> {
  const files = await filesBelow(folder)
  const isLost = ({ file, atMs }: StoredFile) =>
    file.endsWith(unfinished) && nowMs - atMs > unfinishedMs
  for (const each of files.filter(isLost)) await rm(each.file, { force: true })
  const entries = files.filter((each) => !isLost(each)).sort((a, b) => a.atMs - b.atMs)
  let bytes = entries.reduce((sum, each) => sum + each.bytes, 0)
  if (bytes <= maxBytes * (7 / 8)) return
  for (const each of entries) {
    if (bytes <= maxBytes * (3 / 4)) return
    await rm(each.file, { force: true })
    bytes -= each.bytes
  }
}

async function filesBelow(folder: string): Promise<StoredFile[]> {
  const stored: StoredFile[] = []
  for (const shard of await readdir(folder)) {
    const names = await readdir(path.join(folder, shard)).catch(() => [])
    const files = names.map((name) => path.join(folder, shard, name))
    const stats = await Promise.all(files.map((file) => stat(file).catch(() => null)))
    for (const [at, file] of files.entries()) {
      const { size, mtimeMs } = stats[at] ?? { size: 0, mtimeMs: 0 }
      if (stats[at]) stored.push({ file, bytes: roomOf(size), atMs: mtimeMs })
    }
  }
  return stored
}

function roomOf(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes
}
