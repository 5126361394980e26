import { decodeRecord, encodeRecord, type JournalDriver, mayBeOfStranger } from './journalDriver.ts'
import {
  collectCounts,
  collectDigest,
  collectGroups,
  collectJournalEntries,
  type LineQuery,
  type QueryCollector,
} from './query.ts'

export type LineStore = Pick<LineQueue, 'push' | 'flush' | 'close'> & {
  /** Reads lines. Passes on at least those that a query needs. */
  read(query: LineQuery, onLine: (line: string) => void): Promise<unknown>
}

/** Creates a driver that stores records as lines of JSON. */
export function createStoredJournal(store: LineStore): JournalDriver {
  async function query<Result>(collector: QueryCollector<Result>): Promise<Result> {
    await store.flush()
    await store.read(collector, (line) => {
      // Searching the line for the digest is much faster than decoding the line.
      if (collector.digest !== undefined && !line.includes(collector.digest)) return
      const record = decodeRecord(line)
      if (record) collector.add(record)
    })
    return collector.result()
  }

  return {
    write(record) {
      const line = encodeRecord(record)
      if (line !== null) store.push(line, mayBeOfStranger(record))
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

export type LineQueue = ReturnType<typeof createLineQueue>

export type LineQueueOptions = {
  /**
   * Appends lines to the store. Never rejects.
   * @param ofStrangers true for lines that anybody can cause. They may fill at most half of the
   * store
   * @returns the number of lines that were stored completely, from the first one on
   */
  readonly append: (
    lines: readonly string[],
    ofStrangers: boolean,
  ) => Promise<{ readonly count: number; readonly error: unknown }>
  /** Called once when storing fails, with the reason, and once when it works again. */
  readonly log: (line: string) => void
  /** Milliseconds for which a line waits for more lines, so that they are stored together. */
  readonly batchMs: number
  /**
   * Maximum total length of the waiting lines. Above this limit, the oldest lines are dropped.
   * Lines that any visitor can cause may take up only half of it.
   */
  readonly maxWaiting: number
  /** Maximum length of a batch, unless a single line is longer. */
  readonly maxBatch: number
}

const firstRetryMs = 1_000
const lastRetryMs = 60_000

/** Stores lines in batches, one batch at a time. */
export function createLineQueue(options: LineQueueOptions) {
  const { append, log, batchMs, maxWaiting, maxBatch } = options
  const waiting = createLinesByOrigin(maxWaiting)
  const retry = createRetry(log)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let isClosed = false

  function schedule(): void {
    if (timer || running || isClosed || waiting.isEmpty()) return
    timer = setTimeout(start, retry.delayMs || batchMs)
    // Retries must not keep the process alive, for example while the disk is full.
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
    while (!waiting.isEmpty()) {
      const { ofServer, ofStrangers } = waiting
      const lines = ofServer.lines.length > 0 ? ofServer : ofStrangers
      const batch = lines.removeBatch(maxBatch)
      const { count, error } = await append(batch, lines === ofStrangers)
      if (error) {
        lines.putBack(batch.slice(count))
        return retry.failed(error)
      }
      retry.worked(ofServer.lost + ofStrangers.lost)
    }
  }

  async function flush(): Promise<void> {
    await running
    if (!waiting.isEmpty()) await start()
  }

  return {
    push(line: string, isOfStranger: boolean): void {
      if (isClosed) return
      waiting.linesOf(isOfStranger).add(line)
      schedule()
    },
    waiting: waiting.all,
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
    /** Milliseconds until the next attempt; 0 unless the last one failed. */
    delayMs: 0,
    lostBefore: 0,
    failed(error: unknown): void {
      const reason = error instanceof Error ? error.message : String(error)
      if (retry.delayMs === 0) log(`The journal can't be written: ${reason}. Trying again soon.`)
      retry.delayMs = Math.min(retry.delayMs * 2 || firstRetryMs, lastRetryMs)
    },
    /**
     * Records that storing works again. @param lost number of entries that were lost since the
     * start
     */
    worked(lost: number): void {
      const entries = `${lost - retry.lostBefore} of its entries`
      if (retry.delayMs > 0) log(`The journal can be written again. ${entries} were lost.`)
      retry.delayMs = 0
      retry.lostBefore = lost
    },
  }
  return retry
}

/**
 * Keeps lines that anybody can cause apart from the server's own. The former have half as much
 * space, and never displace the latter.
 */
function createLinesByOrigin(maxLength: number, maxLines = Number.POSITIVE_INFINITY) {
  const ofServer = createBoundedLines(maxLength, maxLines)
  const ofStrangers = createBoundedLines(maxLength / 2, maxLines / 2)
  return {
    ofServer,
    ofStrangers,
    linesOf: (areOfStrangers: boolean) => (areOfStrangers ? ofStrangers : ofServer),
    isEmpty: (): boolean => ofServer.lines.length + ofStrangers.lines.length === 0,
    all: (): readonly string[] => [...ofServer.lines, ...ofStrangers.lines],
  }
}

function createBoundedLines(maxLength: number, maxLines: number) {
  let length = 0

  function loseOldest(): void {
    while (length > maxLength || bounded.lines.length > maxLines) {
      length -= bounded.lines.shift()?.length ?? 0
      bounded.lost++
    }
  }

  const bounded = {
    lines: [] as string[],
    lost: 0,
    add(line: string): void {
      if (line.length > maxLength) return void bounded.lost++
      bounded.lines.push(line)
      length += line.length
      loseOldest()
    },
    removeBatch(maxBatch: number): string[] {
      let batchLength = 0
      const end = bounded.lines.findIndex((line, at) => {
        batchLength += line.length
        return at > 0 && batchLength > maxBatch
      })
      const batch = bounded.lines.splice(0, end === -1 ? bounded.lines.length : end)
      length -= batch.join('').length
      return batch
    },
    putBack(batch: readonly string[]): void {
      bounded.lines = [...batch, ...bounded.lines]
      length += batch.join('').length
      loseOldest()
    },
  }
  return bounded
}

export type MemoryJournalOptions = {
  /**
   * Maximum number of records; default 1,000. Records that anybody can cause may be at most half of
   * them.
   */
  readonly maxRecords?: number
  /** Maximum length of all records as JSON, in UTF-16 units; default 4 million. */
  readonly maxLength?: number
}

/** Creates a journal in this process's memory. New records displace the oldest ones. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): JournalDriver {
  const { maxRecords = 1_000, maxLength = 4_000_000 } = options
  // An entry may keep a message of many megabytes in memory, so store records as strings of JSON.
  let lines = createLinesByOrigin(maxLength, maxRecords)
  return createStoredJournal({
    push: (line, isOfStranger) => lines.linesOf(isOfStranger).add(line),
    async read(_query, onLine) {
      lines.all().forEach(onLine)
    },
    async flush() {},
    async close() {
      lines = createLinesByOrigin(0, 0)
    },
  })
}
