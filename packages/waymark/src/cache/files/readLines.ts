import { open } from 'node:fs/promises'
import type { InvalidationMode } from '../driver.ts'

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
