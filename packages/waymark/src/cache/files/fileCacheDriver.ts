import path from 'node:path'
import type { CacheDriver } from '../cacheDriver.ts'
import { servableEntry } from '../cacheEntry.ts'
import { createDegradedMode } from './degradedMode.ts'
import { createEntryFiles } from './entryFiles.ts'
import { createFileInvalidations } from './fileInvalidations.ts'
import { createFileLeases } from './fileLeases.ts'
import { makePrivateFolder } from './ownerOnly.ts'

/** A cache in a folder. */
export type FilesDriverOptions = {
  /** Created when it is not there. Several processes of one machine may share it. */
  readonly folder: string
  /** Logs once that the folder can't be written to, once that it can again, and bad entries. */
  readonly log?: (line: string) => void
  /** Of all entries together, as they take up room on a disk; default 512 MB. */
  readonly maxBytes?: number
  /** How often invalidations by other processes are looked for; default 250 ms. */
  readonly catchUpMs?: number
  /** A process that is killed loses what it has leased within this time; default 30 s. */
  readonly leaseMs?: number
}

// Changes with the format: a folder of another version is left alone, and none of it is read.
const version = 'v1'

/** Creates a driver that stores entries in files: they survive a restart. */
export async function createFilesDriver(options: FilesDriverOptions): Promise<CacheDriver> {
  const { maxBytes = 512 * 2 ** 20, catchUpMs = 250, leaseMs } = options
  const log = options.log ?? ((line: string) => console.error(line))
  const folder = path.join(options.folder, version)
  const entriesFolder = path.join(folder, 'entries')
  const degraded = createDegradedMode(`The cache in ${options.folder}`, log)
  await degraded.try(undefined, async () => {
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
      // What others have invalidated by now counts.
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
    lease: leases.lease,
    async close() {
      invalidations.close()
      await leases.close()
      await files.end()
    },
  }
}
