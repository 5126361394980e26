import { randomUUID } from 'node:crypto'
import { appendFile, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CacheEntry, InvalidationMode } from '../cacheDriver.ts'
import { createInvalidations, oneAtATime } from '../invalidation.ts'
import type { DegradedMode } from './degradedMode.ts'
import { makePrivateFolder, ownerOnly } from './ownerOnly.ts'

export type FileInvalidationsOptions = {
  readonly folder: string
  readonly degraded: DegradedMode
  readonly catchUpMs: number
}

/**
 * Follows a log to which every process appends its invalidations: files, one after the other. A
 * position is a place in it. When the newest file has grown long, another one is begun; what is
 * older than the one before it counts as expired.
 */
export function createFileInvalidations(options: FileInvalidationsOptions) {
  const { folder, degraded, catchUpMs } = options
  const self = randomUUID()
  let firstPosition = 0
  const invalidations = createInvalidations((tags, mode) => {
    // A line that a killed process has left half written ends here.
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

  /** @returns false where there is no file */
  async function append(text: string): Promise<boolean> {
    await readNew()
    const generation = tail.generation()
    if (generation === null) return false
    const file = segmentFile(folder, generation)
    await appendFile(file, text, { mode: ownerOnly.file })
    const newest = (await findSegments(folder)).at(-1) ?? 0
    // Those who have gone on to a newer file would not find it here.
    if (newest > generation) return append(text)
    if ((await stat(file)).size > maxFileBytes) await beginSegment(folder, generation)
    return true
  }

  const timer = setInterval(() => void invalidations.sendPending().then(readNew), catchUpMs)
  timer.unref()

  return {
    position: tail.position,
    freshness(entry: Pick<CacheEntry, 'tags' | 'position'>) {
      // What a build has rendered is older than the first file; nothing was invalidated in between.
      const position = entry.position === 0 ? firstPosition : entry.position
      return invalidations.freshness({ ...entry, position })
    },
    onInvalidated: invalidations.onInvalidated,
    /** Reads what was appended since the last time. */
    readNew,
    async invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void> {
      await invalidations.send(tags, mode)
      // The first one may have been under way before.
      await readNew()
      await readNew()
    },
    close: () => clearInterval(timer),
  }
}

/** A line of the log; what is no such line has nothing of it. */
type Line = {
  readonly mode?: InvalidationMode
  readonly tags?: readonly string[]
  /** The process that wrote it. */
  readonly self?: string
}

type LogTailOptions = {
  readonly folder: string
  readonly onLine: (line: Line, position: number) => void
  /**
   * Called with the place where the oldest file begins: nothing is known of what was before it,
   * unless it is the first that there ever was.
   */
  readonly onBegin: (position: number, isFirst: boolean) => void
}

/** Reads what all processes append to the files of a folder, from the oldest file on. */
function createLogTail({ folder, onLine, onBegin }: LogTailOptions) {
  let at: { readonly generation: number; offset: number } | null = null
  let position = 0
  let hasBegun = false

  async function begin(): Promise<{ readonly generation: number; offset: number }> {
    await makePrivateFolder(folder)
    const [oldest, ...others] = await findSegments(folder)
    const generation = oldest ?? (await beginSegment(folder, 0))
    // Of those before the newest, one always stays; what begins again has lost some.
    onBegin(positionInLog(generation, 0), others.length === 0 && !hasBegun)
    hasBegun = true
    return { generation, offset: 0 }
  }

  return {
    /** The file that is read; `null` before the first, and when it is gone. */
    generation: () => at?.generation ?? null,
    /** How much was read, as one number. */
    position: () => position,
    async readNew(): Promise<void> {
      at ??= await begin()
      for (;;) {
        const generation: number = at.generation
        const newer: number | undefined = (await findSegments(folder)).find(
          (each) => each > generation,
        )
        // What was appended before the newer one was begun is in the file by now.
        const lines = await readLines(segmentFile(folder, generation), at.offset)
        if (lines === null) {
          // Somebody has emptied the folder.
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

// A file that is longer is followed by another.
const maxFileBytes = 2 ** 20

// Places in one file fit in 22 bits as long as no line is longer than three megabytes.
const placesPerFile = 2 ** 22
const epochMs = Date.UTC(2026, 0, 1)

/** A place in the files as one number that only grows. */
function positionInLog(generation: number, offset: number): number {
  return generation * placesPerFile + Math.min(offset, placesPerFile - 1)
}

function segmentFile(folder: string, generation: number): string {
  return path.join(folder, `invalidations-${generation}.log`)
}

/** The files that are there, the oldest first. */
async function findSegments(folder: string): Promise<number[]> {
  const found = (await readdir(folder)).flatMap((name) => {
    const [, generation] = /^invalidations-(\d+)\.log$/.exec(name) ?? []
    return generation === undefined ? [] : Number(generation)
  })
  return found.sort((a, b) => a - b)
}

/**
 * Begins the file after another one; of those before it, one stays for processes that still
 * read it. Files are numbered by the clock: after a loss of all, numbers go on growing.
 * @returns its number, also when another process was first
 */
async function beginSegment(folder: string, after: number): Promise<number> {
  const generation = Math.max(after + 1, Math.floor((Date.now() - epochMs) / 1_000))
  const segments = await findSegments(folder)
  const newer = segments.find((each) => each > after)
  if (newer !== undefined) return newer
  // Another process may begin the same file: it appends nothing to an empty one.
  await writeFile(segmentFile(folder, generation), '', { flag: 'a', mode: ownerOnly.file })
  const older = segments.filter((each) => each < after)
  for (const each of older) await rm(segmentFile(folder, each), { force: true })
  return generation
}

/** Reads the whole lines from a place on. @returns `null` when there is no such file or place */
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
    const lines: { text: string; end: number }[] = []
    let start = 0
    for (
      let end = bytes.indexOf(10);
      end !== -1 && end < bytesRead;
      end = bytes.indexOf(10, start)
    ) {
      lines.push({ text: bytes.toString('utf8', start, end), end: offset + end + 1 })
      start = end + 1
    }
    return lines
  } finally {
    await handle.close()
  }
}

function parseLine(text: string): Line {
  try {
    return text === '' ? {} : (JSON.parse(text) as Line)
  } catch {
    // Half a line, of a process that was killed: it has resolved nobody's call.
    return {}
  }
}
