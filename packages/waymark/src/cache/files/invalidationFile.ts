import { appendFile, stat } from 'node:fs/promises'
import type { CacheDriver, InvalidationMode } from '../driver.ts'
import { staler } from '../freshness.ts'
import { createInvalidationState, type InvalidationState } from '../heard.ts'
import { createInvalidationOutbox } from '../pending.ts'
import { createLogTail, type LogTail } from './follow.ts'
import { beginSegmentFile, findSegmentFiles, maxFileBytes, segmentFile } from './generations.ts'
import { ownerOnly } from './ownerOnly.ts'
import type { DegradedMode } from './troubleLog.ts'

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
