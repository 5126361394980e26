import { beginSegmentFile, findSegmentFiles, positionInLog, segmentFile } from './generations.ts'
import { makePrivateFolder } from './ownerOnly.ts'
import { type Line, readFrom } from './readLines.ts'

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
