import { appendFile, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { CacheDriver, InvalidationMode } from '../cacheDriver.ts'
import { staler } from '../cacheEntry.ts'
import {
  createInvalidationOutbox,
  createInvalidationState,
  type InvalidationState,
} from '../invalidation.ts'
import type { DegradedMode } from './degradedMode.ts'
import { makePrivateFolder, ownerOnly } from './ownerOnly.ts'

/** What a process knows of all invalidations in a folder. */
export type InvalidationFile = Pick<CacheDriver, 'position'> &
  Pick<InvalidationState, 'freshness' | 'onInvalidated'> & {
    invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
    /** Reads what was appended since the last time. */
    readOn(): Promise<void>
    close(): void
  }

/** What it is made of. */
export type InvalidationFileOptions = {
  readonly folder: string
  readonly trouble: DegradedMode
  readonly catchUpMs: number
  /** Tells this process from all others. */
  readonly self: string
}

/**
 * Follows a file to which every process appends its invalidations. A position is a place in it.
 * A file that has grown long is followed by another; what is older than the one before it counts
 * as expired.
 */
export function createInvalidationFile(options: InvalidationFileOptions): InvalidationFile {
  const { folder, trouble, catchUpMs, self } = options
  const heard = createInvalidationState()
  // What could not be told the others yet: a full disk takes no line.
  const pending = createInvalidationOutbox()
  let reading: Promise<void> | null = null
  const { follower, freshness } = createHeardFile(options, heard)

  function readOn(): Promise<void> {
    reading ??= trouble.try(undefined, follower.readOn).finally(() => {
      reading = null
    })
    return reading
  }

  /** @returns false where there is no file */
  async function append(text: string): Promise<boolean> {
    await readOn()
    const { generation } = follower
    if (generation === null) return false
    const file = segmentFile(folder, generation)
    await appendFile(file, text, { mode: ownerOnly.file })
    const newest = (await findSegmentFiles(folder)).at(-1) ?? 0
    // Those who have gone on to a newer file would not find it here.
    if (newest > generation) return append(text)
    if ((await stat(file)).size > maxFileBytes) await beginSegmentFile(folder, generation)
    return true
  }

  function tell(tags: readonly string[], mode: InvalidationMode): Promise<boolean> {
    // A line that a killed process has left half written ends here.
    const text = `\n${JSON.stringify({ mode, tags, self })}\n`
    return trouble.try(false, () => append(text))
  }

  const timer = setInterval(() => void pending.tell(tell).then(readOn), catchUpMs)
  timer.unref()

  return {
    position: () => follower.position,
    freshness: (entry) => staler(freshness(entry), pending.freshness(entry)),
    onInvalidated: heard.onInvalidated,
    readOn,
    async invalidate(tags, mode) {
      if (!(await tell(tags, mode))) pending.add(tags, mode)
      // What is under way may have looked before.
      await reading
      await readOn()
    },
    close: () => clearInterval(timer),
  }
}

/** Hears of what the files say, and tells what that means for an entry. */
function createHeardFile(
  { folder, self }: Pick<InvalidationFileOptions, 'folder' | 'self'>,
  heard: InvalidationState,
): { readonly follower: LogTail } & Pick<InvalidationState, 'freshness'> {
  let firstPosition: number | null = null
  const follower = createLogTail({
    folder,
    onBegin(position, isFirst) {
      firstPosition = isFirst ? position : null
      heard.others('all', 'expired', position)
    },
    onLine({ mode, tags, self: from }, position) {
      if ((mode !== 'stale' && mode !== 'expired') || !tags) return
      if (from === self) heard.own(tags, mode, position)
      else heard.others(tags, mode, position)
    },
  })
  return {
    follower,
    freshness(entry) {
      // What a build has made is older than the first file; nothing was invalidated in between.
      const position = entry.position === 0 ? (firstPosition ?? 0) : entry.position
      return heard.freshness({ ...entry, position })
    },
  }
}

/** Reads what all processes append to the files of a folder, one after the other. */
export type LogTail = {
  /** The file that is read; `null` before the first, and when it is gone. */
  readonly generation: number | null
  /** How much was read, as one number. */
  readonly position: number
  /** Reads what was appended since the last time. */
  readOn(): Promise<void>
}

/** Who hears of what is read. */
export type LogTailOptions = {
  readonly folder: string
  readonly onLine: (line: Line, position: number) => void
  /**
   * Hears where the oldest file begins: of what was before nothing is known, unless it is the
   * first that there ever was.
   */
  readonly onBegin: (position: number, isFirst: boolean) => void
}

/** Makes what follows a folder, from its oldest file on. */
export function createLogTail({ folder, onLine, onBegin }: LogTailOptions): LogTail {
  let at: { readonly generation: number; offset: number } | null = null
  let position = 0
  let hasBegun = false

  async function begin(): Promise<{ readonly generation: number; offset: number }> {
    await makePrivateFolder(folder)
    const [oldest, ...others] = await findSegmentFiles(folder)
    const generation = oldest ?? (await beginSegmentFile(folder, 0))
    // Of those before the newest, one is always kept; what begins anew has lost some.
    onBegin(positionInLog(generation, 0), others.length === 0 && !hasBegun)
    hasBegun = true
    return { generation, offset: 0 }
  }

  async function readOn(): Promise<void> {
    at ??= await begin()
    for (;;) {
      const newer: number | undefined = await generationAfter(at.generation)
      // What was appended before the newer one was begun is in the file by now.
      const lines = await readFrom(segmentFile(folder, at.generation), at.offset)
      if (lines === null) {
        // Somebody has emptied the folder.
        at = null
        return
      }
      for (const { line, end } of lines) {
        at.offset = end
        onLine(line, positionInLog(at.generation, end))
      }
      if (newer === undefined) break
      at = { generation: newer, offset: 0 }
    }
    position = positionInLog(at.generation, at.offset)
  }

  async function generationAfter(generation: number): Promise<number | undefined> {
    return (await findSegmentFiles(folder)).find((each) => each > generation)
  }

  return {
    readOn,
    get generation() {
      return at?.generation ?? null
    },
    get position() {
      return position
    },
  }
}

/** A file that is longer is followed by another. */
export const maxFileBytes = 2 ** 20

// Places in one file fit in 22 bits as long as no line is longer than three megabytes.
const placesPerFile = 2 ** 22
const epochMs = Date.UTC(2026, 0, 1)
const name = /^invalidations-(\d+)\.log$/

/** A place in the files as one number that only grows. */
export function positionInLog(generation: number, offset: number): number {
  return generation * placesPerFile + Math.min(offset, placesPerFile - 1)
}

/** The path of a file. */
export function segmentFile(folder: string, generation: number): string {
  return path.join(folder, `invalidations-${generation}.log`)
}

/** The files that are there, the oldest first. */
export async function findSegmentFiles(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  const found = names.flatMap((each) => {
    const [, generation] = name.exec(each) ?? []
    return generation === undefined ? [] : Number(generation)
  })
  return found.sort((a, b) => a - b)
}

/**
 * Begins the file after another one; of those before it, one is kept for processes that still
 * read it. Files are numbered by the clock: after a loss of all, numbers go on growing.
 * @returns its number, also when another process was first
 */
export async function beginSegmentFile(folder: string, after: number): Promise<number> {
  const generation = Math.max(after + 1, Math.floor((Date.now() - epochMs) / 1_000))
  const newer = (await findSegmentFiles(folder)).find((each) => each > after)
  if (newer !== undefined) return newer
  const options = { flag: 'wx', mode: ownerOnly.file }
  await writeFile(segmentFile(folder, generation), '', options).catch(ignoreExisting)
  const older = (await findSegmentFiles(folder)).filter((each) => each < after)
  for (const each of older) await rm(segmentFile(folder, each), { force: true })
  return generation
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** A line of a file of invalidations; what is no such line has nothing of it. */
export type Line = {
  readonly mode?: InvalidationMode
  readonly tags?: readonly string[]
  /** The process that wrote it. */
  readonly self?: string
}

/** Reads the whole lines from a place on. @returns `null` when there is no such file or place */
export async function readFrom(
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
