import { hash, randomUUID } from 'node:crypto'
import { access, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { CacheDriver, Lease } from '../cacheDriver.ts'
import { decodeEntry, encodeEntry } from '../entryCodec.ts'
import { createDegradedMode, type DegradedMode } from './degradedMode.ts'
import { createExclusive, writePrivateFile } from './ownerOnly.ts'

/** Leases of all processes that share a folder. */
export type FileLeases = {
  readonly lease: CacheDriver['lease']
  close(): Promise<void>
}

export type FileLeasesOptions = {
  readonly folder: string
  readonly log: (line: string) => void
  /** An owner without a heartbeat for so long is gone; default 30 s. */
  readonly leaseMs?: number | undefined
  readonly bounds?: LeaseBounds | undefined
}

/** Bounds of the results that a process has stored: past them, the oldest is removed. */
export type LeaseBounds = { readonly files: number; readonly bytes: number }

const defaultBounds: LeaseBounds = { files: 60_000, bytes: 256 * 2 ** 20 }

// Results that a full disk refused, and that are written again later.
const maxUnwrittenBytes = 2 ** 20
const sweepEveryMs = 600_000

type OwnLease = {
  readonly file: string
  readonly mark: string
  /** From then on others may have it. */
  readonly untilMs: number
  /** Of a lease that is done: what the disk has refused so far. */
  unwritten: Buffer | null
}

/**
 * Stores leases in files, one for each key: it holds its owner first, then the result. `wx` lets
 * one process create it. A heartbeat touches it; where there is none for `leaseMs`, or the result
 * has expired, the next generation of the key, another file, may be created: nobody ever removes
 * or renames what another process may have taken over meanwhile.
 */
export function createFileLeases(options: FileLeasesOptions): FileLeases {
  const { folder, log, leaseMs = 30_000, bounds = defaultBounds } = options
  const degraded = createDegradedMode(`The folder of leases ${folder}`, log)
  const own = createOwnLeases(degraded, bounds)
  let longestTtlMs = sweepEveryMs
  let nextSweepAtMs = 0
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    const now = Date.now()
    await own.beat(now)
    if (nextSweepAtMs > now) return
    nextSweepAtMs = now + sweepEveryMs
    await sweepLeases(folder, now - longestTtlMs - leaseMs).catch(() => {
      // There is no folder before the first lease.
    })
  }

  const timer = setInterval(() => {
    working ??= work().finally(() => {
      working = null
    })
  }, leaseMs / 6)
  timer.unref()

  return {
    async lease(key, ttlMs) {
      longestTtlMs = Math.max(longestTtlMs, ttlMs)
      const mark = `${runningMark}${randomUUID()}`
      for (let generation = 0; ; generation++) {
        const file = path.join(folder, `${nameOf(key)}.${generation}`)
        const created = await degraded.try('refused', () => create(file, mark))
        // While the disk refuses, each process goes on by itself.
        if (created !== 'exists') return own.take(file, mark, ttlMs)
        const found = await readLease(file, leaseMs)
        if (found.kind === 'damaged') log(`A lease can't be read, and does not count: ${file}.`)
        if (found.kind === 'done' || found.kind === 'running') return found
      }
    },
    async close() {
      clearInterval(timer)
      await working
    },
  }
}

/** The leases of this process, and the results that it has stored. */
function createOwnLeases(degraded: DegradedMode, bounds: LeaseBounds) {
  const own = new Map<string, OwnLease>()
  const stored = createStored(bounds)

  async function write(lease: OwnLease, expireAtMs: number): Promise<void> {
    const { file, mark, unwritten } = lease
    if (unwritten === null || !own.has(mark)) return
    const part = `${file}.${randomUUID()}.part`
    const isWritten = await degraded.write(async () => {
      await writePrivateFile(part, unwritten)
      // Readers see the owner or the whole result.
      await rename(part, file)
    })
    if (!isWritten) {
      await rm(part, { force: true }).catch(() => {})
      let bytes = 0
      for (const { unwritten } of own.values()) bytes += unwritten?.byteLength ?? 0
      if (bytes <= maxUnwrittenBytes) return
    }
    own.delete(mark)
    if (isWritten) await removeAll(stored.add({ file, expireAtMs, bytes: unwritten.byteLength }))
  }

  async function release({ file, mark }: OwnLease): Promise<void> {
    if (!own.delete(mark)) return
    const content = await readFile(file, 'latin1').catch(() => null)
    if (content === mark) await remove(file)
  }

  return {
    take(file: string, mark: string, ttlMs: number): Lease {
      const lease: OwnLease = { file, mark, untilMs: Date.now() + ttlMs, unwritten: null }
      own.set(mark, lease)
      return {
        kind: 'ours',
        async complete(result) {
          const expireAtMs = Date.now() + ttlMs
          lease.unwritten = encodeEntry(entryOf(result, expireAtMs))
          await write(lease, expireAtMs)
        },
        release: () => release(lease),
      }
    },
    async beat(nowMs: number): Promise<void> {
      for (const lease of own.values()) {
        const { file, untilMs, unwritten } = lease
        if (untilMs <= nowMs) await release(lease)
        else if (unwritten !== null) await write(lease, untilMs)
        // The folder may have been emptied.
        else await utimes(file, new Date(), new Date()).catch(() => {})
      }
      await removeAll(stored.expired(nowMs))
    },
  }
}

async function create(file: string, mark: string): Promise<'created' | 'exists'> {
  try {
    return (await createExclusive(file, mark)) ? 'created' : 'exists'
  } catch (error) {
    // A full disk leaves an empty one. After another error, the file may be another process's.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') await rm(file, { force: true }).catch(() => {})
    throw error
  }
}

type FoundLease = Exclude<Lease, { readonly kind: 'ours' }> | { readonly kind: 'over' | 'damaged' }

const runningMark = 'running:'

async function readLease(file: string, leaseMs: number): Promise<FoundLease> {
  const content = await readFile(file).catch(() => null)
  // Released meanwhile: whoever asks again may have it.
  if (content === null) return { kind: 'running' }
  const entry = decodeEntry(content)
  if (entry) {
    const isOver = (entry.expireAtMs ?? 0) <= Date.now()
    return isOver ? { kind: 'over' } : { kind: 'done', result: entry.value }
  }
  const beatAtMs = (await stat(file).catch(() => null))?.mtimeMs ?? Date.now()
  if (Date.now() - beatAtMs < leaseMs) return { kind: 'running' }
  // Its owner was killed before it had written its mark, or after.
  const isRunning = runningMark.startsWith(content.toString('latin1', 0, runningMark.length))
  return { kind: isRunning ? 'over' : 'damaged' }
}

/** Removes a file, unless there is a later generation, which would be found no more. */
async function remove(file: string): Promise<void> {
  const [, base = '', generation] = /^(.*)\.(\d+)$/.exec(file) ?? []
  const isLast = await access(`${base}.${Number(generation) + 1}`).then(
    () => false,
    () => true,
  )
  // What can't be removed now is swept later.
  if (isLast) await rm(file, { force: true }).catch(() => {})
}

async function removeAll(files: readonly string[]): Promise<void> {
  for (const file of files) await remove(file)
}

type StoredResult = { readonly file: string; readonly expireAtMs: number; readonly bytes: number }

/** Results that this process has written, the oldest first. */
function createStored({ files, bytes }: LeaseBounds) {
  // A Map that is emptied from its front keeps the gaps there, and looks through them each time.
  let results: StoredResult[] = []
  let first = 0
  let bytesStored = 0

  /** Takes out the oldest as long as a condition holds. */
  function takeWhile(isOut: (oldest: StoredResult) => boolean): string[] {
    const taken: string[] = []
    for (let oldest = results[first]; oldest && isOut(oldest); oldest = results[++first]) {
      bytesStored -= oldest.bytes
      taken.push(oldest.file)
    }
    if (first > results.length / 2) {
      results = results.slice(first)
      first = 0
    }
    return taken
  }

  return {
    /** @returns the files to remove for it */
    add(result: StoredResult): string[] {
      bytesStored += result.bytes
      results.push(result)
      return takeWhile(() => results.length - first > files || bytesStored > bytes)
    },
    expired: (nowMs: number) => takeWhile(({ expireAtMs }) => expireAtMs <= nowMs),
  }
}

/**
 * Removes what processes that have ended left behind.
 * @param beforeMs a key whose files were all touched before is over
 */
export async function sweepLeases(folder: string, beforeMs: number): Promise<void> {
  const old = new Map<string, string[] | null>()
  for (const name of await readdir(folder)) {
    const [key = ''] = name.split('.', 1)
    const files = old.get(key)
    if (files === null) continue
    const file = path.join(folder, name)
    const touchedAtMs = (await stat(file).catch(() => null))?.mtimeMs ?? 0
    old.set(key, touchedAtMs < beforeMs ? [...(files ?? []), file] : null)
  }
  for (const file of [...old.values()].flatMap((files) => files ?? [])) {
    await rm(file, { force: true })
  }
}

function entryOf(value: Uint8Array, expireAtMs: number) {
  const storedAtMs = Date.now()
  return { value, tags: [], storedAtMs, revalidateAtMs: null, expireAtMs, position: 0 }
}

function nameOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 22)
}
