import { randomUUID } from 'node:crypto'
import { appendFile, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { tryOrUndefined } from '../../shared/neverThrows.ts'
import type { CacheEntry, InvalidationMode } from '../cacheDriver.ts'
import { createInvalidations, oneAtATime } from '../invalidation.ts'
import { createPauseWatch } from '../pauseWatch.ts'
import { type DegradedMode, makePrivateFolder, ownerOnly } from './privateFiles.ts'

export type FileInvalidationsOptions = {
  readonly folder: string
  readonly degraded: DegradedMode
  readonly catchUpMs: number
}

/**
 * Follows a log to which all processes append their invalidations. The log consists of numbered
 * files, and a position is a place in one of them. A file that gets too long is followed by a new
 * one. Cache entries from before the last two files count as expired.
 */
export function createFileInvalidations(options: FileInvalidationsOptions) {
  const { folder, degraded, catchUpMs } = options
  const self = randomUUID()
  let firstPosition = 0
  const invalidations = createInvalidations((tags, mode) => {
    // A killed process may have left an incomplete line, so start with a line break.
    const text = `\n${JSON.stringify({ mode, tags, self })}\n`
    return degraded.try(false, () => append(text))
  })
  const tail = createLogTail({
    folder,
    onBegin(position, isFirst) {
      firstPosition = isFirst ? position : 0
      invalidations.addOthers('all', 'expired', position)
    },
    onLine({ mode, tags, self: from }, position) {
      if ((mode !== 'stale' && mode !== 'expired') || !tags) return
      if (from === self) invalidations.addOwn(tags, mode, position)
      else invalidations.addOthers(tags, mode, position)
    },
  })
  const readNew = oneAtATime(() => degraded.try(undefined, tail.readNew))

  async function append(text: string): Promise<boolean> {
    await readNew()
    const generation = tail.generation()
    if (generation === null) return false
    const file = segmentFile(folder, generation)
    await appendFile(file, text, { mode: ownerOnly.file })
    const newest = (await findSegments(folder)).at(-1) ?? 0
    // Processes that already read a newer file would miss the line, so append it there, too.
    if (newest > generation) return append(text)
    if ((await stat(file)).size > maxFileBytes) await beginSegment(folder, generation)
    return true
  }

  /** Reads twice, because the first call may join a read that has already started. */
  async function readAll(): Promise<void> {
    await readNew()
    await readNew()
  }

  const pauses = createPauseWatch(2 * catchUpMs)
  const timer = setInterval(() => {
    pauses.look()
    void invalidations.sendPending().then(readNew)
  }, catchUpMs)
  timer.unref()

  return {
    position: tail.position,
    freshness(entry: Pick<CacheEntry, 'tags' | 'position'>) {
      // Nothing was invalidated between the build and the first log file, so treat a build's
      // entries as computed at the log's start.
      const position = entry.position === 0 ? firstPosition : entry.position
      return invalidations.freshness({ ...entry, position })
    },
    onInvalidated: invalidations.onInvalidated,
    readNew,
    async invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void> {
      await invalidations.send(tags, mode)
      await readAll()
    },
    isBehind: pauses.look,
    async catchUp(): Promise<void> {
      const pause = pauses.latest()
      await readAll()
      pauses.caughtUp(pause)
    },
    close: () => clearInterval(timer),
  }
}

type Line = {
  readonly mode?: InvalidationMode
  readonly tags?: readonly string[]
  readonly self?: string
}

type LogTailOptions = {
  readonly folder: string
  readonly onLine: (line: Line, position: number) => void
  /** Called with the start of the oldest file. Invalidations before this position are unknown. */
  readonly onBegin: (position: number, isFirst: boolean) => void
}

function createLogTail({ folder, onLine, onBegin }: LogTailOptions) {
  let at: { readonly generation: number; offset: number } | null = null
  let position = 0
  let hasBegun = false

  async function begin(): Promise<{ readonly generation: number; offset: number }> {
    await makePrivateFolder(folder)
    const [oldest, ...others] = await findSegments(folder)
    const generation = oldest ?? (await beginSegment(folder, 0))
    // One older file always remains. If no older file exists, lines were lost, so report this.
    onBegin(positionInLog(generation, 0), others.length === 0 && !hasBegun)
    hasBegun = true
    return { generation, offset: 0 }
  }

  return {
    generation: () => at?.generation ?? null,
    position: () => position,
    async readNew(): Promise<void> {
      at ??= await begin()
      for (;;) {
        const generation: number = at.generation
        const newer: number | undefined = (await findSegments(folder)).find(
          (each) => each > generation,
        )
        // A file that has a successor is complete. Read the rest of it before the successor.
        const lines = await readLines(segmentFile(folder, generation), at.offset)
        if (lines === null) {
          // Somebody has emptied the folder, so start again.
          at = null
          return
        }
        for (const { text, end } of lines) {
          at.offset = end
          onLine(parseLine(text), positionInLog(generation, end))
        }
        if (newer === undefined) break
        at = { generation: newer, offset: 0 }
      }
      position = positionInLog(at.generation, at.offset)
    },
  }
}

const maxFileBytes = 2 ** 20

// Number of positions per file. A new file begins after one megabyte, so an offset fits into 22
// bits unless a line is longer than three megabytes.
const placesPerFile = 2 ** 22
const epochMs = Date.UTC(2026, 0, 1)

function positionInLog(generation: number, offset: number): number {
  return generation * placesPerFile + Math.min(offset, placesPerFile - 1)
}

function segmentFile(folder: string, generation: number): string {
  return path.join(folder, `invalidations-${generation}.log`)
}

async function findSegments(folder: string): Promise<number[]> {
  const generations = (await readdir(folder)).flatMap((name) => {
    const [, generation] = /^invalidations-(\d+)\.log$/.exec(name) ?? []
    return generation === undefined ? [] : Number(generation)
  })
  return generations.sort((a, b) => a - b)
}

/**
 * Creates a file's successor. Removes all older files except one, which other processes may still
 * be reading. Numbers follow the clock, so that they grow even if the folder is emptied.
 */
async function beginSegment(folder: string, after: number): Promise<number> {
  const generation = Math.max(after + 1, Math.floor((Date.now() - epochMs) / 1_000))
  const segments = await findSegments(folder)
  const newer = segments.find((each) => each > after)
  if (newer !== undefined) return newer
  // Appending an empty string is harmless if a different process creates the same file.
  await writeFile(segmentFile(folder, generation), '', { flag: 'a', mode: ownerOnly.file })
  const older = segments.filter((each) => each < after)
  for (const each of older) await rm(segmentFile(folder, each), { force: true })
  return generation
}

/** @returns `null` if the file is missing or shorter than the offset */
async function readLines(
  file: string,
  offset: number,
): Promise<{ text: string; end: number }[] | null> {
  const handle = await open(file).catch(() => null)
  if (!handle) return null
  try {
    const { size } = await handle.stat()
    if (size < offset) return null
    const bytes = Buffer.alloc(size - offset)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset)
    const read = bytes.subarray(0, bytesRead)
    const lines: { text: string; end: number }[] = []
    let start = 0
    for (let end = read.indexOf(10); end !== -1; end = read.indexOf(10, start)) {
      lines.push({ text: read.toString('utf8', start, end), end: offset + end + 1 })
      start = end + 1
    }
    return lines
  } finally {
    await handle.close()
  }
}

function parseLine(text: string): Line {
  // A killed process may have left an incomplete line, so ignore invalid JSON.
  return text === '' ? {} : (tryOrUndefined<Line>(() => JSON.parse(text)) ?? {})
}
