/** Lines that wait to be written, the oldest first; above a length the oldest are lost. */
export type LineBuffer = {
  readonly lines: readonly string[]
  add(line: string): void
  /** Takes out the oldest, as many as one write may hold; at least one, if there is one. */
  takeBatch(): string[]
  /** Puts back what could not be written. */
  putBack(batch: readonly string[]): void
  /** How many were lost since the last question. */
  takeLost(): number
}

/** Lengths in UTF-16 units. */
export type LineBufferLimits = { readonly maxWaiting: number; readonly maxBatch: number }

/** Makes an empty list. */
export function createLineBuffer({ maxWaiting, maxBatch }: LineBufferLimits): LineBuffer {
  let lines: string[] = []
  let length = 0
  let lost = 0

  function loseOldest(): void {
    while (length > maxWaiting && lines.length > 0) {
      length -= lines.shift()?.length ?? 0
      lost++
    }
  }

  return {
    get lines() {
      return lines
    },
    add(line) {
      lines.push(line)
      length += line.length
      loseOldest()
    },
    takeBatch() {
      const batch = lines.splice(0, batchSize(lines, maxBatch))
      length -= lengthOf(batch)
      return batch
    },
    putBack(batch) {
      lines = [...batch, ...lines]
      length += lengthOf(batch)
      loseOldest()
    },
    takeLost() {
      const count = lost
      lost = 0
      return count
    },
  }
}

function batchSize(lines: readonly string[], maxLength: number): number {
  let length = 0
  const end = lines.findIndex((line) => {
    length += line.length
    return length > maxLength
  })
  return end === -1 ? lines.length : Math.max(1, end)
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}
