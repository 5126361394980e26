import { randomUUID } from 'node:crypto'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Modes of files and folders that hold responses to somebody: for their owner alone. */
export const ownerOnly = { file: 0o600, folder: 0o700 } as const

/** Creates a folder for its owner alone, and restricts one that others could read before. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
  // It may be somebody else's, who has let this process write to it.
  await chmod(folder, ownerOnly.folder).catch(() => {})
}

/** The end of the name of a file that is being written. */
export const unfinished = '.part'

/**
 * Writes or replaces a file, for its owner alone: readers see the old one or the new one, and
 * never a half. Creates its folder where that is missing: somebody may have emptied the cache.
 */
export async function replacePrivateFile(file: string, data: Uint8Array): Promise<void> {
  const part = `${file}.${randomUUID()}${unfinished}`
  try {
    await inFolder(part, () => writeFile(part, data, { mode: ownerOnly.file }))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

/**
 * Creates a file that only one process can create.
 * @returns false where it exists
 */
export async function createExclusive(file: string, text: string): Promise<boolean> {
  try {
    await inFolder(file, () => writeFile(file, text, { flag: 'wx', mode: ownerOnly.file }))
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

async function inFolder(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
    await makePrivateFolder(path.dirname(file))
    await write()
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}
