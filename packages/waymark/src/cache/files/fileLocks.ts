import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { CacheDriver } from '../cacheDriver.ts'
import type { DegradedMode } from './degradedMode.ts'
import { createExclusive } from './ownerOnly.ts'

// Past this, others no longer wait: the computation hangs.
const longestHoldMs = 30_000

/**
 * Makes locks of files that only one process can create. A holder touches its file as long as it
 * lives; one that was not touched for its time is taken over.
 */
export function createFileLocks(folder: string, trouble: DegradedMode): CacheDriver['lock'] {
  return async (key, ttlMs) => {
    const file = path.join(folder, createHash('sha256').update(key).digest('hex'))
    const token = randomUUID()
    if (!(await trouble.try(true, () => take(file, token, ttlMs)))) return null
    const heldSinceMs = Date.now()
    const renewing = setInterval(() => {
      if (Date.now() - heldSinceMs > longestHoldMs) return clearInterval(renewing)
      void utimes(file, new Date(), new Date()).catch(() => {})
    }, ttlMs / 3)
    renewing.unref()
    return async () => {
      clearInterval(renewing)
      if ((await holderOf(file)) === token) await unlink(file).catch(() => {})
    }
  }
}

async function take(file: string, token: string, ttlMs: number): Promise<boolean> {
  if (await createExclusive(file, token)) return true
  const holder = await holderOf(file)
  const touched = await stat(file).catch(() => null)
  if (!touched) return createExclusive(file, token)
  if (Date.now() - touched.mtimeMs < ttlMs) return false
  // One of several who find it takes it out of the way; the others find nothing to take.
  const aside = `${file}.${token}`
  const isMoved = await rename(file, aside).then(
    () => true,
    () => false,
  )
  if (!isMoved) return false
  const isSame = (await holderOf(aside)) === holder
  await rm(aside, { force: true })
  return isSame && createExclusive(file, token)
}

function holderOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null)
}
