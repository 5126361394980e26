import { randomUUID } from 'node:crypto'
import { chmod, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Modes of files and folders. Only their owner may read them, because they may contain private
 * responses.
 */
export const ownerOnly = { file: 0o600, folder: 0o700 } as const

/**
 * Creates a folder that only its owner can access. The folders around it get the usual mode,
 * because a web server may have to pass through them; `mkdir` with a mode would restrict these,
 * too.
 */
export async function createPrivateFolder(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true })
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
}

export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder })
  // A different user may own the folder, so ignore errors.
  await chmod(folder, ownerOnly.folder).catch(() => {})
}

export const unfinished = '.part'

/**
 * Replaces a file atomically. Creates the folder if somebody has emptied the cache.
 * @param at modification time of the file; default: now
 */
export async function replacePrivateFile(file: string, data: Uint8Array, at?: Date): Promise<void> {
  const part = `${file}.${randomUUID()}${unfinished}`
  try {
    await inFolder(part, () => writeFile(part, data, { mode: ownerOnly.file }))
    if (at) await utimes(part, at, at)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

/** Creates a file. @returns false if the file exists, so that only one process can create it */
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

/** Runs disk operations, and logs a line when the disk starts to fail. */
export type DegradedMode = ReturnType<typeof createDegradedMode>

/** @param what subject of the log lines, such as `The cache in /data` */
export function createDegradedMode(what: string, log: (line: string) => void) {
  let isDegraded = false

  async function attempt<T>(fallback: T, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!isDegraded) log(`${what} can't be written: ${reason}. ${meanwhile}`)
      isDegraded = true
      return fallback
    }
  }

  return {
    try: attempt,
    /** Runs a write operation. If it succeeds, the disk counts as working again. */
    write: (run: () => Promise<void>): Promise<boolean> =>
      attempt(false, async () => {
        await run()
        if (isDegraded) log(`${what} can be written again.`)
        isDegraded = false
        return true
      }),
  }
}

const meanwhile = 'Until then, each process uses its own memory.'
