import type { AppendLines } from './appendFile.ts'
import { createLineBuffer, type LineBufferLimits } from './waitingLines.ts'

/** Lines on their way to a file. */
export type LineQueue = {
  /** Returns at once. */
  push(line: string): void
  /** Those that are not in a file yet, the oldest first. */
  waiting(): readonly string[]
  /** Tries at once to append all. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** What a queue is made of. */
export type LineQueueOptions = LineBufferLimits & {
  readonly append: AppendLines
  /** Called after each successful append. */
  readonly onAppended: (bytes: number) => Promise<void>
  /** Hears once that appending fails, with the reason, and once that it works again. */
  readonly log: (line: string) => void
  /** How long a line waits for others to be appended with. */
  readonly batchMs: number
}

/** Makes a queue: what it appends, it appends in batches, one after the other. */
export function createLineQueue(options: LineQueueOptions): LineQueue {
  const waiting = createLineBuffer(options)
  const retry = createRetry(options.log)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let isClosed = false

  function schedule(): void {
    if (timer || running || isClosed || waiting.lines.length === 0) return
    timer = setTimeout(start, retry.delayMs || options.batchMs)
    // A disk that stays full must not keep the process alive.
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
      const batch = waiting.takeBatch()
      const { count, error, bytes } = await options.append(batch)
      if (error) {
        waiting.putBack(batch.slice(count))
        return retry.failed(error)
      }
      retry.worked(waiting.takeLost())
      await options.onAppended(bytes)
    }
  }

  async function flush(): Promise<void> {
    await running
    if (waiting.lines.length > 0) await start()
  }

  return {
    push(line) {
      if (isClosed) return
      waiting.add(line)
      schedule()
    },
    waiting: () => waiting.lines,
    flush,
    async close() {
      await flush()
      isClosed = true
      clearTimeout(timer)
    },
  }
}

const firstRetryMs = 1_000
const lastRetryMs = 60_000

/** Remembers whether appending fails, and says so once. */
function createRetry(log: (line: string) => void) {
  let delayMs = 0
  return {
    /** 0 while all is well. */
    get delayMs() {
      return delayMs
    },
    failed(error: unknown): void {
      const reason = error instanceof Error ? error.message : String(error)
      if (delayMs === 0) log(`The journal can't be written: ${reason}. It is tried again.`)
      delayMs = Math.min(delayMs * 2 || firstRetryMs, lastRetryMs)
    },
    worked(lost: number): void {
      if (delayMs > 0) log(`The journal is written again. ${lost} of its entries were lost.`)
      delayMs = 0
    },
  }
}
