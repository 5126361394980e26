import { hash, randomUUID } from 'node:crypto'
import type { CacheDriver, Lease } from '../cacheDriver.ts'
import { createDegradedMode } from './degradedMode.ts'
import type { EntryFiles } from './entryFiles.ts'
import { type LeaseFileBounds, type LeaseLine, writeLeaseLine } from './leaseFormat.ts'
import { createLeaseIndex, type FoundLease, type LinePlace } from './leaseIndex.ts'
import { createLeaseLog, type LeaseLog } from './leaseLog.ts'

/** Claims of all processes that share a folder. */
export type FileLeases = {
  readonly claim: CacheDriver['claim']
  close(): Promise<void>
}

/** What they need. */
export type FileLeasesOptions = {
  readonly folder: string
  readonly log: (line: string) => void
  /** For results that are long. */
  readonly files: EntryFiles
  /** Whoever was not heard of for so long is gone; default 30 s. */
  readonly leaseMs?: number | undefined
  readonly now?: () => number
  readonly bounds?: LeaseFileBounds | undefined
}

// What is longer has a file of its own: every process reads all lines.
const longestInLineBytes = 8_192

/**
 * Keeps claims in a log: one line claims, another one holds the result. The first line of a name
 * has it, and every process reads the same lines in the same order. A process tells now and then
 * that it lives; what it has claimed may be taken over when it does not any more.
 */
export function createFileLeases(options: FileLeasesOptions): FileLeases {
  const { folder, log, files, leaseMs = 30_000, now = Date.now, bounds } = options
  const self = randomUUID()
  const index = createLeaseIndex(leaseMs)
  const trouble = createDegradedMode(`The log of submissions in ${folder}`, log)
  const lines = createLeaseLog({ folder, log, self, now, trouble, bounds, reader: index })
  const own = createOwnLeases({ log: lines, self, beatMs: leaseMs / 6, now })
  let count = 0

  async function read(key: string, place: LinePlace): Promise<Lease> {
    const line = await lines.readLine(place)
    if (line?.kind !== 'done') return { kind: 'done', result: null }
    if (line.result !== null) return { kind: 'done', result: Buffer.from(line.result, 'base64') }
    return { kind: 'done', result: (await files.read(fileKey(key)))?.value ?? null }
  }

  function ours(key: string, name: string, owner: string, keepMs: number): Lease {
    own.add({ name, owner, untilMs: now() + keepMs })
    return {
      kind: 'ours',
      async keep(bytes) {
        const expireAtMs = now() + keepMs
        const isLong = bytes.byteLength > longestInLineBytes
        if (isLong) await files.write(fileKey(key), entryOf(bytes, now(), expireAtMs))
        const result = isLong ? null : textOf(bytes)
        await own.end(owner, { kind: 'done', name, expireAtMs, result })
      },
      release: () => own.end(owner, { kind: 'released', name, owner }),
    }
  }

  return {
    async claim(key, keepMs) {
      const name = nameOf(key)
      // What somebody else had when it was read last may be done.
      if (index.find(name, now())?.kind === 'running') await lines.readOn()
      const before = index.find(name, now())
      if (before?.kind === 'done') return read(key, before.place)
      if (before && !before.isGone) return { kind: 'running' }
      const owner = `${self}.${++count}`
      const isSaid = await lines.append(wantedLine({ name, owner, atMs: now() }, before))
      const after = index.find(name, now())
      // While the disk does not take it, each process goes on by itself.
      if (!isSaid || (after?.kind === 'running' && after.owner === owner)) {
        return ours(key, name, owner, keepMs)
      }
      return after?.kind === 'done' ? read(key, after.place) : { kind: 'running' }
    },
    async close() {
      own.close()
      await lines.close()
    },
  }
}

type Wanted = { readonly name: string; readonly owner: string; readonly atMs: number }

function wantedLine(
  wanted: Wanted,
  before: Extract<FoundLease, { readonly kind: 'running' }> | null,
): string {
  return writeLeaseLine(
    before ? { kind: 'taken over', from: before.owner, ...wanted } : { kind: 'claimed', ...wanted },
  )
}

function entryOf(value: Uint8Array, storedAtMs: number, expireAtMs: number) {
  return { value, tags: [], storedAtMs, revalidateAtMs: null, expireAtMs, position: 0 }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

// Names are the app's, and may hold a space.
function nameOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 22)
}

function fileKey(key: string): string {
  return `claimed:${key}`
}

/** What this process has claimed and not ended yet. */
export type OwnLeases = {
  add(claim: OwnLease): void
  /** Says how one ended; later, where the disk does not take it now. */
  end(owner: string, line: LeaseLine): Promise<void>
  close(): void
}

/** One of them. */
export type OwnLease = {
  readonly name: string
  readonly owner: string
  /** From then on others may have it. */
  readonly untilMs: number
}

/** What they need. */
export type OwnLeasesOptions = {
  readonly log: LeaseLog
  /** Tells this process from all others. */
  readonly self: string
  /** How often the others are told that this process lives. */
  readonly beatMs: number
  readonly now: () => number
}

// Of lines that a full disk has not taken, and that are tried again.
const maxUnsaidLength = 2 ** 20

/** Makes it. */
export function createOwnLeases({ log, self, beatMs, now }: OwnLeasesOptions): OwnLeases {
  const own = new Map<string, OwnLease>()
  let unsaid = ''

  async function end(owner: string, line: LeaseLine): Promise<void> {
    own.delete(owner)
    await say(writeLeaseLine(line))
  }

  async function say(text: string): Promise<void> {
    // Else the others would wait for it as long as this process lives.
    if (!(await log.append(text)) && unsaid.length < maxUnsaidLength) unsaid += text
  }

  /** Tells the others that this process lives, and what it could not tell them before. */
  async function beat(): Promise<void> {
    for (const { name, owner, untilMs } of own.values()) {
      if (untilMs <= now()) void end(owner, { kind: 'released', name, owner })
    }
    const text = unsaid
    unsaid = ''
    if (text !== '') await say(text)
    else if (own.size > 0) {
      await log.append(writeLeaseLine({ kind: 'lives', self, batch: 0, atMs: now() }))
    }
  }

  const timer = setInterval(() => void beat(), beatMs)
  timer.unref()

  return {
    add: (claim) => void own.set(claim.owner, claim),
    end,
    close: () => clearInterval(timer),
  }
}
