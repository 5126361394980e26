import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CacheEntry } from '../driver.ts'
import { decodeEntry, encodeEntry } from '../entryBytes.ts'
import { makePrivateFolder, ownerOnly } from './ownerOnly.ts'
import type { DegradedMode } from './troubleLog.ts'

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
        await writeInFolder(part, bytes)
        // Readers see the old one or the new one, and never a half.
        await rename(part, file)
      })
      if (isWritten) onWritten(bytes.length)
      else await rm(part, { force: true }).catch(() => {})
    },
  }
}

/** Writes a file, and makes its folder where that is not there yet. */
async function writeInFolder(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes, { mode: ownerOnly.file })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await makePrivateFolder(path.dirname(file))
    await writeFile(file, bytes, { mode: ownerOnly.file })
  }
}
