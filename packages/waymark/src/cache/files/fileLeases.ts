import { hash, randomUUID } from 'node:crypto'
import { access, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Lease } from '../cacheDriver.ts'
import { decodeCacheEntry, encodeCacheEntry, resultEntry } from '../cacheEntry.ts'
import { oneAtATime } from '../invalidation.ts'
import { createExclusive, type DegradedMode, replacePrivateFile } from './privateFiles.ts'

export type FileLeasesOptions = {
  readonly folder: string
  readonly degraded: DegradedMode
  readonly log: (line: string) => void
  readonly leaseMs?: number | undefined
  readonly bounds?: LeaseBounds | undefined
}

/**
 * Limits for results. `files` and `bytes` apply to the results of one process; the oldest ones are
 * removed first. `lasting` is the maximum number of long-lived results of all processes; those that
 * expire soonest are removed first.
 */
export type LeaseBounds = Readonly<Record<'files' | 'bytes' | 'lasting', number>>

const defaultBounds: LeaseBounds = { files: 60_000, bytes: 256 * 2 ** 20, lasting: 100_000 }

// Maximum milliseconds between heartbeats. It is short, so that leases with a short `leaseMs` are
// renewed in time, too.
const longestBeatMs = 1_000

// Maximum bytes of results that a full disk has refused. They stay in memory and are written later.
const maxUnwrittenBytes = 2 ** 20
const sweepEveryMs = 600_000

/**
 * True for a result that expires after the next sweep. Its file's modification time is the time at
 * which it expires.
 */
const isLasting = (endsAtMs: number) => endsAtMs - Date.now() > sweepEveryMs

type ActiveLease = {
  readonly file: string
  readonly mark: string
  /** Time after which a different process may take the lease. */
  readonly endsAtMs: number
  readonly beatEveryMs: number
  touchedAtMs: number
  /** The result, if the disk couldn't store it yet. */
  unwritten: Buffer | null
}

/**
 * Creates leases as files in a shared folder. A key's file first contains the owner of the lease,
 * later the result. The flag `wx` makes sure that only one process creates a file, and the owner's
 * heartbeat updates the file's time. If the heartbeat stops for `leaseMs`, or the result expires,
 * the key's next lease is a new file with the next generation number. No process therefore removes
 * or renames a file that a different process may have taken over.
 */
export function createFileLeases(options: FileLeasesOptions) {
  const { folder, degraded, log, leaseMs: defaultMs = 30_000, bounds = defaultBounds } = options
  let nextSweepAtMs = 0
  let lastingSinceSweep = 0
  const activeLeases = createActiveLeases(degraded, bounds)

  const beat = oneAtATime(() => activeLeases.beat(Date.now()))
  const sweep = oneAtATime(async () => {
    const now = Date.now()
    if (nextSweepAtMs > now && lastingSinceSweep < bounds.lasting / 8) return
    nextSweepAtMs = now + sweepEveryMs
    lastingSinceSweep = 0
    await sweepLeases(folder, now - sweepEveryMs - defaultMs, bounds.lasting).catch(() => {
      // The first lease creates the folder.
    })
  })

  let working: Promise<unknown> = Promise.resolve()
  const timer = setInterval(
    () => {
      // A long sweep must not delay a heartbeat, because a different process would then take the
      // lease.
      working = Promise.all([beat(), sweep()])
    },
    Math.min(defaultMs / 6, longestBeatMs),
  )
  timer.unref()

  return {
    async lease(key: string, ttlMs: number, leaseMs = defaultMs): Promise<Lease> {
      if (ttlMs > sweepEveryMs) lastingSinceSweep++
      const mark = `${runningMark}${randomUUID()}`
      for (let generation = 0; ; generation++) {
        const file = path.join(folder, `${nameOf(key)}.${generation}`)
        const created = await degraded.try('refused', () => create(file, mark))
        // If the disk fails, grant the lease. Each process then works alone until the disk works
        // again.
        if (created !== 'exists') return activeLeases.add({ file, mark, ttlMs, leaseMs })
        const existing = await readLease(file, leaseMs)
        if (existing.kind === 'damaged') log(`The lease in ${file} is damaged and was skipped.`)
        if (existing.kind === 'done' || existing.kind === 'running') return existing
      }
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await working
    },
  }
}

function createActiveLeases(degraded: DegradedMode, bounds: LeaseBounds) {
  const leases = new Map<string, ActiveLease>()
  const stored = createStoredResults(bounds)

  async function write(lease: ActiveLease, expireAtMs: number): Promise<void> {
    const { file, mark, unwritten } = lease
    if (unwritten === null || !leases.has(mark)) return
    const lastsUntil = isLasting(expireAtMs) ? new Date(expireAtMs) : undefined
    // Readers must see either the owner or the whole result, so replace the file atomically.
    if (await degraded.write(() => replacePrivateFile(file, unwritten, lastsUntil))) {
      leases.delete(mark)
      if (!lastsUntil)
        await removeAll(stored.add({ file, expireAtMs, bytes: unwritten.byteLength }))
      return
    }
    let bytes = 0
    for (const { unwritten } of leases.values()) bytes += unwritten?.byteLength ?? 0
    if (bytes > maxUnwrittenBytes) leases.delete(mark)
  }

  async function release({ file, mark }: ActiveLease): Promise<void> {
    if (!leases.delete(mark)) return
    const content = await readFile(file, 'latin1').catch(() => null)
    if (content === mark) await remove(file)
  }

  async function beat(lease: ActiveLease, nowMs: number): Promise<void> {
    const { file, endsAtMs, unwritten } = lease
    if (endsAtMs <= nowMs) return release(lease)
    if (unwritten !== null) return write(lease, endsAtMs)
    if (nowMs - lease.touchedAtMs < lease.beatEveryMs) return
    lease.touchedAtMs = nowMs
    // Somebody may have emptied the folder, so ignore errors.
    await utimes(file, new Date(), new Date()).catch(() => {})
  }

  return {
    add(created: { file: string; mark: string; ttlMs: number; leaseMs: number }): Lease {
      const { file, mark, ttlMs, leaseMs } = created
      const times = { endsAtMs: Date.now() + ttlMs, beatEveryMs: leaseMs / 6 }
      const lease: ActiveLease = { file, mark, ...times, touchedAtMs: Date.now(), unwritten: null }
      leases.set(mark, lease)
      let storedUntilMs = 0
      const ours = {
        kind: 'ours',
        async complete(result: Uint8Array) {
          const now = Date.now()
          if (storedUntilMs > 0) return
          storedUntilMs = now + ttlMs
          lease.unwritten = encodeCacheEntry(resultEntry(result, now, ttlMs))
          await write(lease, now + ttlMs)
        },
        release: () => release(lease),
      } as const
      // `LeaseBounds` limits results that expire before the next sweep, so they need no `withdraw`.
      if (ttlMs <= sweepEveryMs) return ours
      return {
        ...ours,
        async withdraw() {
          // A file that expires soon may soon belong to a different process, so don't touch it.
          if (!isLasting(storedUntilMs)) return
          leases.delete(mark)
          await remove(file)
        },
      }
    },
    async beat(nowMs: number): Promise<void> {
      for (const lease of leases.values()) await beat(lease, nowMs)
      await removeAll(stored.expired(nowMs))
    },
  }
}

async function create(file: string, mark: string): Promise<'created' | 'exists'> {
  try {
    return (await createExclusive(file, mark)) ? 'created' : 'exists'
  } catch (error) {
    // On a full disk, the file is empty, so remove it. After other errors, it may belong to a
    // different process.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') await rm(file, { force: true }).catch(() => {})
    throw error
  }
}

type LeaseState = Exclude<Lease, { readonly kind: 'ours' }> | { readonly kind: 'over' | 'damaged' }

const runningMark = 'running:'

async function readLease(file: string, leaseMs: number): Promise<LeaseState> {
  const content = await readFile(file).catch(() => null)
  // The file is gone because the lease was released, so the next attempt gets it.
  if (content === null) return { kind: 'running' }
  const entry = decodeCacheEntry(content)
  if (entry) {
    const isOver = (entry.expireAtMs ?? 0) <= Date.now()
    return isOver ? { kind: 'over' } : { kind: 'done', result: entry.value }
  }
  const beatAtMs = (await stat(file).catch(() => null))?.mtimeMs ?? Date.now()
  // A damaged result's file may have a time in the future, so use the absolute difference.
  if (Math.abs(Date.now() - beatAtMs) < leaseMs) return { kind: 'running' }
  // True if the owner died before it wrote a result: the file only contains a mark, possibly
  // incomplete.
  const isRunning = runningMark.startsWith(content.toString('latin1', 0, runningMark.length))
  return { kind: isRunning ? 'over' : 'damaged' }
}

/** Removes a file, unless a later generation exists, which couldn't be found without this file. */
async function remove(file: string): Promise<void> {
  const [, base = '', generation] = /^(.*)\.(\d+)$/.exec(file) ?? []
  const isLast = await access(`${base}.${Number(generation) + 1}`).then(
    () => false,
    () => true,
  )
  // A later sweep tries again, so ignore errors.
  if (isLast) await rm(file, { force: true }).catch(() => {})
}

async function removeAll(files: readonly string[]): Promise<void> {
  for (const file of files) await remove(file)
}

type StoredResult = { readonly file: string; readonly expireAtMs: number; readonly bytes: number }

function createStoredResults({ files, bytes }: LeaseBounds) {
  const results: StoredResult[] = []
  let bytesStored = 0

  function takeWhile(isOut: (oldest: StoredResult, removed: number) => boolean): string[] {
    let removed = 0
    for (const result of results) {
      if (!isOut(result, removed)) break
      bytesStored -= result.bytes
      removed++
    }
    return results.splice(0, removed).map(({ file }) => file)
  }

  return {
    add(result: StoredResult): string[] {
      results.push(result)
      bytesStored += result.bytes
      const isOver = (removed: number) => results.length - removed > files || bytesStored > bytes
      if (!isOver(0)) return []
      // Removing from the front of an array moves all other results, so remove 1/100 of them at
      // once.
      return takeWhile((_, removed) => removed < results.length / 100 || isOver(removed))
    },
    expired: (nowMs: number) => takeWhile(({ expireAtMs }) => expireAtMs <= nowMs),
  }
}

/**
 * Removes old files of leases.
 * @param beforeMs removes a key if all its files are older than this time
 * @param most number of long-lived results to keep. Those that expire last are kept
 */
export async function sweepLeases(folder: string, beforeMs: number, most: number): Promise<void> {
  const keys = new Map<string, { files: string[]; touchedAtMs: number }>()
  for (const name of await readdir(folder)) {
    const [key = ''] = name.split('.', 1)
    const file = path.join(folder, name)
    const touchedAtMs = (await stat(file).catch(() => null))?.mtimeMs ?? 0
    const entry = keys.get(key) ?? { files: [], touchedAtMs: 0 }
    entry.files.push(file)
    entry.touchedAtMs = Math.max(entry.touchedAtMs, touchedAtMs)
    keys.set(key, entry)
  }
  const latestFirst = [...keys.values()].sort((one, other) => other.touchedAtMs - one.touchedAtMs)
  for (const [at, { files, touchedAtMs }] of latestFirst.entries()) {
    // Long-lived results come first, because their files' times are in the future.
    const isOver = at >= most && isLasting(touchedAtMs)
    if (touchedAtMs >= beforeMs && !isOver) continue
    for (const file of files) await rm(file, { force: true })
  }
}

function nameOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 22)
}
