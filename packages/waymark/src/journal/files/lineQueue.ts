import type { AppendLines } from './appendFile.ts'

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
export type LineQueueOptions = {
  readonly append: AppendLines
  /** Called after each successful append. */
  readonly onAppended: (bytes: number) => Promise<void>
  /** Hears once that appending fails, with the reason, and once that it works again. */
  readonly log: (line: string) => void
  /** How long a line waits for others to be appended with. */
  readonly batchMs: number
  /** In UTF-16 units; while appending fails, the oldest lines above it are lost. */
  readonly maxWaiting: number
  /** In UTF-16 units; of the lines that are appended at once, unless one alone is longer. */
  readonly maxBatch: number
}

const firstRetryMs = 1_000
const lastRetryMs = 60_000

/** Makes a queue: what it appends, it appends in batches, one after the other. */
export function createLineQueue(options: LineQueueOptions): LineQueue {
  const { append, onAppended, log, batchMs, maxWaiting, maxBatch } = options
  let lines: string[] = []
  let length = 0
  let lost = 0
  let retryMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let isClosed = false

  function put(added: string[]): void {
    lines = added
    length = lines.reduce((sum, line) => sum + line.length, 0)
    while (length > maxWaiting && lines.length > 0) {
      length -= lines.shift()?.length ?? 0
      lost++
    }
  }

  function schedule(): void {
    if (timer || running || isClosed || lines.length === 0) return
    timer = setTimeout(start, retryMs || batchMs)
    // A disk that stays full must not keep the process alive.
    if (retryMs > 0) timer.unref()
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
    while (lines.length > 0) {
      const batch = lines.splice(0, batchSize(lines, maxBatch))
      length -= batch.reduce((sum, line) => sum + line.length, 0)
      const { count, error, bytes } = await append(batch)
      if (error) {
        put([...batch.slice(count), ...lines])
        tellFailure(error)
        return
      }
      tellSuccess()
      await onAppended(bytes)
    }
  }

  function tellFailure(error: unknown): void {
    if (retryMs === 0) log(`The journal can't be written: ${reasonOf(error)}. It is tried again.`)
    retryMs = Math.min(retryMs * 2 || firstRetryMs, lastRetryMs)
  }

  function tellSuccess(): void {
    if (retryMs > 0) log(`The journal is written again. ${lost} of its entries were lost.`)
    retryMs = 0
    lost = 0
  }

  return {
    push(line) {
      if (isClosed) return
      lines.push(line)
      length += line.length
      if (length > maxWaiting) put(lines)
      schedule()
    },
    waiting: () => lines,
    async flush() {
      await running
      if (lines.length > 0) await start()
    },
    async close() {
      await this.flush()
      isClosed = true
      clearTimeout(timer)
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
