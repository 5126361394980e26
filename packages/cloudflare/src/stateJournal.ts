import {
  createStoredJournal,
  decodeRecord,
  type JournalDriver,
  type JournalRecord,
} from 'waymark/drivers'
import { type CallState, createAttempts } from './stateClient.ts'
import type { JournalLine, JournalPage, JournalPlace } from './stateStore.ts'

/** Options of a journal in the Durable Object. */
export type StateJournalOptions = {
  readonly call: CallState
  /** Keeps the worker running until the work is done, even after the response. */
  readonly keepAlive?: (work: Promise<unknown>) => void
  readonly log?: (line: string) => void
  /** Maximum number of records. The oldest are deleted. Default: 10,000. */
  readonly maxRecords?: number
  /** Days for which records are stored. Default: 14. */
  readonly maxDays?: number
  readonly now?: () => number
}

const dayMs = 86_400_000

// Maximum number of lines that wait while the Durable Object is unavailable.
const maxWaiting = 1_000

/**
 * Creates a journal in the Durable Object. Lines of one turn of the event loop are written together.
 * There is no timer for larger batches, because a worker's timers end with their request.
 */
export function createStateJournal({
  call,
  keepAlive = () => {},
  log = (line) => console.error(line),
  maxRecords = 10_000,
  maxDays = 14,
  now = Date.now,
}: StateJournalOptions): JournalDriver {
  const attempt = createAttempts('The journal in the Durable Object', { log, keepAlive })
  let waiting: { readonly line: string; readonly ofStrangers: boolean }[] = []
  const writes = new Set<Promise<void>>()
  let isClosed = false

  async function writeWaiting(): Promise<void> {
    const batch = waiting
    waiting = []
    for (const ofStrangers of [false, true]) {
      const lines = batch.filter((each) => each.ofStrangers === ofStrangers)
      if (lines.length === 0) continue
      const limits = { maxRecords, oldestMs: now() - maxDays * dayMs }
      const input = { lines: lines.map(({ line }) => lineOf(line)), ofStrangers, limits }
      // The call returns `null`, so wrap its result.
      const written = await attempt(async () => [await call('writeLines', input)])
      if (!written) waiting = [...lines, ...waiting].slice(-maxWaiting)
    }
  }

  function startWriting(): Promise<void> {
    const write = Promise.resolve()
      .then(writeWaiting)
      .finally(() => writes.delete(write))
    writes.add(write)
    keepAlive(write)
    return write
  }

  function readPage(
    digest: string | null,
    before: JournalPlace | null,
  ): Promise<JournalPage | null> {
    return attempt(() => call('readLines', { digest, before }))
  }

  async function flush(): Promise<void> {
    await Promise.all(writes)
    if (waiting.length > 0) await startWriting()
  }

  return createStoredJournal({
    push(line, ofStrangers) {
      if (isClosed) return
      waiting.push({ line, ofStrangers })
      if (waiting.length > maxWaiting) waiting.shift()
      if (waiting.length === 1 || writes.size === 0) void startWriting()
    },
    async read(query, onLine) {
      for (const { line } of waiting) onLine(line)
      const digest = query.digest ?? null
      let before: JournalPlace | null = null
      do {
        const page: JournalPage | null = await readPage(digest, before)
        page?.lines.forEach(onLine)
        before = page?.end ?? null
      } while (before !== null && before.timeMs >= query.enoughBeforeMs)
    },
    flush,
    async close() {
      await flush()
      isClosed = true
    },
  })
}

function lineOf(line: string): JournalLine {
  // Only `encodeRecord` writes lines, so cast.
  const record = decodeRecord(line) as JournalRecord
  return record.kind === 'error'
    ? { name: record.digest, timeMs: record.timeMs, line }
    : { name: record.kind, timeMs: record.toMs, line }
}
