import { open } from 'node:fs/promises'
import { leaseFilePath } from './claimFiles.ts'
import type { LinePlace } from './claimIndex.ts'
import { type LeaseLine, parseLeaseLine, writeLeaseLine } from './claimLines.ts'
import { createLeaseTail, type LeaseTailOptions } from './claimReading.ts'
import type { DegradedMode } from './troubleLog.ts'

/** Lines that every process of a folder appends and reads, in one order. */
export type LeaseLog = {
  /**
   * Appends lines, and resolves once all lines up to them are read. What is appended at the same
   * time goes in one write.
   * @returns false where they could not be written, or not read
   */
  append(lines: string): Promise<boolean>
  /** Resolves once all that is there is read. */
  readOn(): Promise<boolean>
  /** Reads one line again. @returns `null` where it is gone, cut or changed */
  readLine(place: LinePlace): Promise<LeaseLine | null>
  /** Resolves once all was appended; what comes later is not. */
  close(): Promise<void>
}

/** What a log is made of. */
export type LeaseLogOptions = LeaseTailOptions & { readonly trouble: DegradedMode }

const mostTries = 5

/** Makes it; the first use opens the files. */
export function createLeaseLog(options: LeaseLogOptions): LeaseLog {
  const { folder, trouble, self, now } = options
  const place = createLeaseTail(options)
  const writes = createTogether((lines) =>
    lines === '' ? trouble.try(false, look) : trouble.write(() => commit(lines)),
  )
  let batches = 0

  async function look(): Promise<boolean> {
    await place.open()
    await place.readOn()
    return true
  }

  async function commit(lines: string): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      await place.open()
      const batch = ++batches
      await place.write(lines + writeLeaseLine({ kind: 'lives', self, batch, atMs: now() }))
      await place.readOn()
      if (place.lastBatch === batch) return place.endIfLong()
      // They stand behind the end of a file, where nobody reads them.
    }
    throw new Error('what was appended is not there')
  }

  return {
    append: writes.add,
    readOn: () => writes.add(''),
    async readLine({ generation, offset, bytes }) {
      const handle = await open(leaseFilePath(folder, generation)).catch(() => null)
      const buffer = Buffer.alloc(bytes)
      const read = await handle?.read(buffer, 0, bytes, offset).catch(() => null)
      await handle?.close()
      const line = parseLeaseLine(buffer.toString('latin1', 0, read?.bytesRead ?? 0))
      return line === 'unknown' ? null : line
    },
    async close() {
      await writes.end()
      await place.leave()
    },
  }
}

type Waiting = { readonly lines: string; readonly settle: (isDone: boolean) => void }

/** Runs one write at a time: what comes in meanwhile goes with the next, all of it at once. */
function createTogether(run: (lines: string) => Promise<boolean>) {
  let queue: Waiting[] = []
  let flushing: Promise<void> | null = null
  let hasEnded = false

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      // Calls that have come in together go in one write, not the first of them alone.
      await new Promise(setImmediate)
      const together = queue
      queue = []
      const isDone = await run(together.map(({ lines }) => lines).join(''))
      for (const { settle } of together) settle(isDone)
    }
    flushing = null
  }

  return {
    add(lines: string): Promise<boolean> {
      if (hasEnded) return Promise.resolve(false)
      return new Promise((settle) => {
        queue.push({ lines, settle })
        flushing ??= flush()
      })
    },
    async end(): Promise<void> {
      hasEnded = true
      await flushing
    },
  }
}
