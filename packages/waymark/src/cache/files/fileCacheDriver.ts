import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { CacheDriver } from '../cacheDriver.ts'
import { freshness } from '../cacheEntry.ts'
import { createDegradedMode } from './degradedMode.ts'
import { createEntryFiles, createSweepTimer } from './entryFiles.ts'
import { createInvalidationFile } from './fileInvalidations.ts'
import { createFileLeases } from './fileLeases.ts'
import { createFileLocks } from './fileLocks.ts'
import { makePrivateFolder } from './ownerOnly.ts'

/** A cache in a folder. */
export type FilesDriverOptions = {
  /** Made when it is not there. Several processes of one machine may share it. */
  readonly folder: string
  /** Hears once that the folder can't be written to, once that it can again, and of bad entries. */
  readonly log?: (line: string) => void
  /** Of all entries together, as they take up room on a disk; default 512 MB. */
  readonly maxBytes?: number
  /** How often invalidations by other processes are looked for; default 250 ms. */
  readonly catchUpMs?: number
  /** A process that was not heard of for so long loses what it has leased; default 30 s. */
  readonly leaseMs?: number
}

// Changes with the format: a folder of another version is left alone, and none of it is read.
const version = 'v1'

/** Makes a driver that keeps entries in files: they survive a restart. */
export async function createFilesDriver(options: FilesDriverOptions): Promise<CacheDriver> {
  const { maxBytes = 512 * 2 ** 20, catchUpMs = 250 } = options
  const log = options.log ?? ((line: string) => console.error(line))
  const folder = path.join(options.folder, version)
  const trouble = createDegradedMode(`The cache in ${options.folder}`, log)
  const folders = { entries: path.join(folder, 'entries'), locks: path.join(folder, 'locks') }
  await trouble.try(undefined, async () => {
    for (const each of [folder, ...Object.values(folders)]) await makePrivateFolder(each)
  })
  const sweeping = createSweepTimer({ folder: folders.entries, maxBytes })
  const files = createEntryFiles({
    folder: folders.entries,
    trouble,
    log,
    onWritten: sweeping.wrote,
  })
  const leases = createFileLeases({
    folder: path.join(folder, 'leases'),
    log,
    leaseMs: options.leaseMs,
  })
  const invalidations = createInvalidationFile({ folder, trouble, catchUpMs, self: randomUUID() })

  await invalidations.readOn()

  return {
    name: 'files',
    async get(key) {
      const entry = await files.read(key)
      if (!entry) return null
      // What others have invalidated by now counts.
      await invalidations.readOn()
      const byTags = invalidations.freshness(entry)
      if (byTags === 'expired' || freshness(entry, Date.now()) === 'expired') {
        await files.remove(key)
        return null
      }
      return byTags === 'stale' ? { ...entry, revalidateAtMs: 0 } : entry
    },
    set: files.write,
    delete: files.remove,
    invalidate: invalidations.invalidate,
    position: invalidations.position,
    onInvalidated: invalidations.onInvalidated,
    lock: createFileLocks(folders.locks, trouble),
    lease: leases.lease,
    async close() {
      invalidations.close()
      await leases.close()
      await sweeping.end()
    },
  }
}
