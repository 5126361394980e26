import { appendFile, mkdir, open, stat } from 'node:fs/promises'
import type { CacheDriver, CacheEntry, Invalidation, InvalidationMode } from '../driver.ts'
import type { Freshness } from '../freshness.ts'
import { createTagMarks } from '../tagMarks.ts'
import {
  beginGeneration,
  findGenerations,
  generationFile,
  maxFileBytes,
  positionIn,
} from './generations.ts'
import type { TroubleLog } from './troubleLog.ts'

/** What a process knows of all invalidations in a folder. */
export type InvalidationFile = Pick<CacheDriver, 'position' | 'onInvalidated'> & {
  invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
  freshness(entry: CacheEntry): Freshness
  /** Reads what was appended since the last time. */
  readOn(): Promise<void>
  close(): void
}

/** What it is made of. */
export type InvalidationFileParts = {
  readonly folder: string
  readonly trouble: TroubleLog
  readonly catchUpMs: number
  /** Tells this process from all others. */
  readonly self: string
}

type Line = { readonly mode?: InvalidationMode; readonly tags?: string[]; readonly self?: string }

/**
 * Follows a file to which every process appends its invalidations. A position is a place in it.
 * A file that has grown long is followed by another; what is older than the one before it counts
 * as expired.
 */
export function createInvalidationFile(parts: InvalidationFileParts): InvalidationFile {
  const { folder, trouble, catchUpMs, self } = parts
  const marks = createTagMarks()
  const listeners = new Set<(invalidation: Invalidation) => void>()
  let at: { generation: number; offset: number } | null = null
  let reading: Promise<void> | null = null

  function take({ mode, tags, self: from }: Line, position: number): void {
    if ((mode !== 'stale' && mode !== 'expired') || !tags) return
    marks.mark(tags, mode, position)
    if (from === self) return
    for (const listener of listeners) listener({ tags, mode })
  }

  async function begin(): Promise<{ generation: number; offset: number }> {
    await mkdir(folder, { recursive: true })
    const found = await findGenerations(folder)
    const [oldest] = found
    const first = oldest ?? (await beginGeneration(folder, 0))
    marks.mark('all', 'expired', positionIn(first, 0))
    return { generation: first, offset: 0 }
  }

  async function readWhole(): Promise<void> {
    at ??= await begin()
    const read = await readFrom(generationFile(folder, at.generation), at.offset)
    if (read === null) {
      // Somebody has emptied the folder.
      at = null
      return
    }
    for (const { line, end } of read) {
      at.offset = end
      take(line, positionIn(at.generation, end))
    }
    const newer = (await findGenerations(folder)).find((each) => each > (at?.generation ?? 0))
    if (newer === undefined) return
    // What was appended before the newer one was begun is in the file by now.
    for (const { line, end } of (await readFrom(
      generationFile(folder, at.generation),
      at.offset,
    )) ?? [])
      take(line, positionIn(at.generation, end))
    at = { generation: newer, offset: 0 }
    await readWhole()
  }

  function readOn(): Promise<void> {
    reading ??= trouble.try(undefined, readWhole).finally(() => {
      reading = null
    })
    return reading
  }

  async function append(text: string): Promise<void> {
    await readOn()
    if (!at) await readOn()
    if (!at) return
    const { generation } = at
    const file = generationFile(folder, generation)
    await appendFile(file, text)
    const newest = (await findGenerations(folder)).at(-1) ?? 0
    // Those who have gone on to a newer file would not find it here.
    if (newest > generation) return append(text)
    if ((await stat(file)).size > maxFileBytes) await beginGeneration(folder, generation)
  }

  const timer = setInterval(() => void readOn(), catchUpMs)
  timer.unref()

  return {
    position: () => (at ? positionIn(at.generation, at.offset) : 0),
    freshness: marks.freshness,
    readOn,
    async invalidate(tags, mode) {
      // A line that a killed process has left half written ends here.
      const text = `\n${JSON.stringify({ mode, tags, self })}\n`
      await trouble.try(undefined, () => append(text))
      await reading
      await readOn()
    },
    onInvalidated(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => clearInterval(timer),
  }
}

/** Reads the whole lines from a place on. @returns `null` when there is no such file or place */
async function readFrom(
  file: string,
  offset: number,
): Promise<{ line: Line; end: number }[] | null> {
  const handle = await open(file).catch(() => null)
  if (!handle) return null
  try {
    const { size } = await handle.stat()
    if (size < offset) return null
    const bytes = Buffer.alloc(size - offset)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset)
    return linesOf(bytes.subarray(0, bytesRead), offset)
  } finally {
    await handle.close()
  }
}

function linesOf(bytes: Buffer, offset: number): { line: Line; end: number }[] {
  const lines: { line: Line; end: number }[] = []
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push({ line: parseLine(bytes.toString('utf8', start, end)), end: offset + end + 1 })
    start = end + 1
  }
  return lines
}

function parseLine(text: string): Line {
  try {
    return text === '' ? {} : (JSON.parse(text) as Line)
  } catch {
    // Half a line, of a process that was killed: it has told nobody that it was done.
    return {}
  }
}
