import { hash, randomUUID } from 'node:crypto'
import type { CacheDriver, Claim } from '../driver.ts'
import type { ClaimFileBounds } from './claimFiles.ts'
import { createClaimIndex, type FoundClaim } from './claimIndex.ts'
import { type ClaimLine, writeClaimLine } from './claimLines.ts'
import { createClaimLog } from './claimLog.ts'
import type { EntryFiles } from './entryFiles.ts'
import { createTroubleLog } from './troubleLog.ts'

/** Claims of all processes that share a folder. */
export type FileClaims = {
  readonly claim: CacheDriver['claim']
  close(): Promise<void>
}

/** What they need. */
export type FileClaimsParts = {
  readonly folder: string
  readonly log: (line: string) => void
  /** For results that are long. */
  readonly files: EntryFiles
  /** Whoever was not heard of for so long is gone; default 30 s. */
  readonly leaseMs?: number | undefined
  readonly now?: () => number
  readonly bounds?: ClaimFileBounds | undefined
}

// What is longer has a file of its own: every process reads all lines.
const longestInLineBytes = 8_192
// Of lines that a full disk has not taken, and that are tried again.
const maxUnsaidLength = 2 ** 20

/**
 * Keeps claims in a log: one line claims, another one holds the result. The first line of a name
 * has it, and every process reads the same lines in the same order. A process tells now and then
 * that it lives; what it has claimed may be taken over when it does not any more.
 */
export function createFileClaims(parts: FileClaimsParts): FileClaims {
  const { folder, log, files, leaseMs = 30_000, now = Date.now, bounds } = parts
  const self = randomUUID()
  const index = createClaimIndex(leaseMs)
  const trouble = createTroubleLog(`The log of submissions in ${folder}`, log)
  const lines = createClaimLog({ folder, log, self, now, trouble, bounds, reader: index })
  const own = new Map<string, { readonly name: string; readonly untilMs: number }>()
  let count = 0
  let unsaid = ''
  let timer: ReturnType<typeof setInterval> | null = null

  async function say(line: ClaimLine): Promise<void> {
    const text = writeClaimLine(line)
    // Said later: the others would wait for it as long as this process lives.
    if (!(await lines.append(text)) && unsaid.length < maxUnsaidLength) unsaid += text
  }

  /** Tells the others that this process lives, and what it could not tell them before. */
  async function beat(): Promise<void> {
    for (const [owner, { name, untilMs }] of own) {
      if (untilMs > now()) continue
      own.delete(owner)
      void say({ kind: 'released', name, owner })
    }
    if (own.size === 0 && unsaid === '') return
    const text = unsaid
    unsaid = ''
    if (
      !(await lines.append(text || writeClaimLine({ kind: 'lives', self, batch: 0, atMs: now() })))
    )
      unsaid = text + unsaid
  }

  async function read(found: Extract<FoundClaim, { kind: 'done' }>, key: string): Promise<Claim> {
    const line = await lines.readLine(found.place)
    if (line?.kind !== 'done') return { kind: 'done', result: null }
    if (line.result !== null) return { kind: 'done', result: Buffer.from(line.result, 'base64') }
    return { kind: 'done', result: (await files.read(fileKey(key)))?.value ?? null }
  }

  function ours(key: string, { name, owner, keepMs }: Own): Claim {
    timer ??= setInterval(() => void beat(), leaseMs / 6).unref()
    own.set(owner, { name, untilMs: now() + keepMs })
    return {
      kind: 'ours',
      async keep(result) {
        own.delete(owner)
        const expireAtMs = now() + keepMs
        const isLong = result.byteLength > longestInLineBytes
        if (isLong) await files.write(fileKey(key), entryOf(result, now(), expireAtMs))
        await say({ kind: 'done', name, expireAtMs, result: isLong ? null : textOf(result) })
      },
      async release() {
        own.delete(owner)
        await say({ kind: 'released', name, owner })
      },
    }
  }

  return {
    async claim(key, keepMs) {
      const name = nameOf(key)
      // What somebody else had when it was read last may be done.
      if (index.find(name, now())?.kind === 'running') await lines.readOn()
      const before = index.find(name, now())
      if (before?.kind === 'done') return read(before, key)
      if (before && !before.isGone) return { kind: 'running' }
      const owner = `${self}.${++count}`
      const facts = { name, owner, atMs: now() }
      const wanted: ClaimLine = before
        ? { kind: 'taken over', from: before.owner, ...facts }
        : { kind: 'claimed', ...facts }
      const isSaid = await lines.append(writeClaimLine(wanted))
      const after = index.find(name, now())
      // While the disk does not take it, each process goes on by itself.
      const isOurs = !isSaid || (after?.kind === 'running' && after.owner === owner)
      if (isOurs) return ours(key, { name, owner, keepMs })
      return after?.kind === 'done' ? read(after, key) : { kind: 'running' }
    },
    async close() {
      if (timer) clearInterval(timer)
      await lines.close()
    },
  }
}

type Own = { readonly name: string; readonly owner: string; readonly keepMs: number }

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
