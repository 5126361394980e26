import { decodeRecord, encodeRecord, type JournalDriver } from './journalDriver.ts'
import {
  collectCounts,
  collectDigest,
  collectGroups,
  collectJournalEntries,
  type LineQuery,
  type QueryCollector,
} from './query.ts'

export type LineStore = Pick<LineQueue, 'push' | 'flush' | 'close'> & {
  /** Reads at least the lines that a query needs. */
  read(query: LineQuery, onLine: (line: string) => void): Promise<unknown>
}

/** Creates a driver that stores records as lines of JSON. */
export function createStoredJournal(store: LineStore): JournalDriver {
  async function query<Result>(collector: QueryCollector<Result>): Promise<Result> {
    await store.flush()
    await store.read(collector, (line) => {
      // Searching a text is much faster than decoding.
      if (collector.digest !== undefined && !line.includes(collector.digest)) return
      const record = decodeRecord(line)
      if (record) collector.add(record)
    })
    return collector.result()
  }

  return {
    write(record) {
      const line = encodeRecord(record)
      if (line !== null) store.push(line)
    },
    list: (filter) => query(collectJournalEntries(filter)),
    groups: (filter) => query(collectGroups(filter)),
    async find(digest) {
      const { entry, alike } = await query(collectDigest(digest))
      if (entry) return { kind: 'whole', entry }
      if (!alike) return null
      const example = alike.example === null ? null : await query(collectDigest(alike.example))
      return { kind: 'alike', alike, example: example?.entry ?? null }
    },
    counts: (filter) => query(collectCounts(filter)),
    flush: store.flush,
    close: store.close,
  }
}

type LineQueue = ReturnType<typeof createLineQueue>

export type LineQueueOptions = {
  /** Never rejects. @returns how many lines, from the first, are stored whole */
  readonly append: (
    lines: readonly string[],
  ) => Promise<{ readonly count: number; readonly error: unknown }>
  /** Called once when storing fails, with the reason, and once when it works again. */
  readonly log: (line: string) => void
  /** Milliseconds for which a line waits for others. */
  readonly batchMs: number
  /** Beyond this length the oldest lines are lost. */
  readonly maxWaiting: number
  /** Longest batch, unless a single line is longer. */
  readonly maxBatch: number
}

const firstRetryMs = 1_000
const lastRetryMs = 60_000

/** Stores lines in batches, one after the other. */
export function createLineQueue(options: LineQueueOptions) {
  const { append, log, batchMs, maxWaiting, maxBatch } = options
  const waiting = createBoundedLines(maxWaiting)
  const retry = createRetry(log)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let isClosed = false

  function schedule(): void {
    if (timer || running || isClosed || waiting.lines.length === 0) return
    timer = setTimeout(start, retry.delayMs || batchMs)
    // A full disk must not keep the process alive.
    if (retry.delayMs > 0) timer.unref()
  }

  function start(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    running ??= drain().finally(() => {
      running = null
      schedule()
    })
    return running
  }

  async function drain(): Promise<void> {
    while (waiting.lines.length > 0) {
      const batch = waiting.removeBatch(maxBatch)
      const { count, error } = await append(batch)
      if (error) {
        waiting.putBack(batch.slice(count))
        return retry.failed(error)
      }
      retry.worked(waiting.lost)
      waiting.lost = 0
    }
  }

  async function flush(): Promise<void> {
    await running
    if (waiting.lines.length > 0) await start()
  }

  return {
    push(line: string): void {
      if (isClosed) return
      waiting.add(line)
      schedule()
    },
    waiting: (): readonly string[] => waiting.lines,
    flush,
    async close(): Promise<void> {
      await flush()
      isClosed = true
      clearTimeout(timer)
    },
  }
}

function createRetry(log: (line: string) => void) {
  const retry = {
    /** 0 without a failure. */
    delayMs: 0,
    failed(error: unknown): void {
      const reason = error instanceof Error ? error.message : String(error)
      if (retry.delayMs === 0) log(`The journal can't be written: ${reason}. It is tried again.`)
      retry.delayMs = Math.min(retry.delayMs * 2 || firstRetryMs, lastRetryMs)
    },
    worked(lost: number): void {
      if (retry.delayMs > 0) log(`The journal is written again. ${lost} of its entries were lost.`)
      retry.delayMs = 0
    },
  }
  return retry
}

function createBoundedLines(maxLength: number) {
  let length = 0

  function loseOldest(): void {
    while (length > maxLength) {
      length -= bounded.lines.shift()?.length ?? 0
      bounded.lost++
    }
  }

  const bounded = {
    lines: [] as string[],
    lost: 0,
    add(line: string): void {
      bounded.lines.push(line)
      length += line.length
      loseOldest()
    },
    removeBatch(maxBatch: number): string[] {
      let batchLength = 0
      const end = bounded.lines.findIndex((line) => {
        batchLength += line.length
        return batchLength > maxBatch
      })
      const count = end === -1 ? bounded.lines.length : Math.max(1, end)
      const batch = bounded.lines.splice(0, count)
      length -= lengthOf(batch)
      return batch
    },
    putBack(batch: readonly string[]): void {
      bounded.lines = [...batch, ...bounded.lines]
      length += lengthOf(batch)
      loseOldest()
    },
  }
  return bounded
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}

export type MemoryJournalOptions = {
  /** Default: 1,000. */
  readonly maxRecords?: number
  /** UTF-16 units of JSON; default: 4 million. */
  readonly maxLength?: number
}

/** The journal of one process; new records displace the oldest. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): JournalDriver {
  const { maxRecords = 1_000, maxLength = 4_000_000 } = options
  // Text, because an entry may reference a message of many megabytes.
  let lines: string[] = []
  let length = 0
  return createStoredJournal({
    push(line) {
      if (line.length > maxLength) return
      lines.push(line)
      length += line.length
      while (lines.length > maxRecords || length > maxLength) length -= lines.shift()?.length ?? 0
    },
    async read(_query, onLine) {
      lines.forEach(onLine)
    },
    async flush() {},
    async close() {
      lines = []
      length = 0
    },
  })
}
