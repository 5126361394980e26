import { type CacheDriver, type Lease, timedOut, withDeadline } from 'waymark/drivers'
import { type JobTimes, lastDueMs } from './dueTimes.ts'

/** Argument of a job's function. */
export type JobContext = {
  /** Time for which the job runs. It is the same for all attempts, so use it as a unique key. */
  readonly dueAt: Date
  /** Aborts at the deadline, when the server shuts down, and when another server may have taken over. */
  readonly signal: AbortSignal
}

/** A job with its schedule. */
export type Job = JobTimes & {
  /** Unique name, at most 100 characters. */
  readonly name: string
  /** Milliseconds after which a run is aborted. Default: 10 minutes. */
  readonly deadlineMs?: number
  readonly run: (context: JobContext) => unknown
}

export type RunnerOptions = {
  readonly jobs: readonly Job[]
  readonly driver: Pick<CacheDriver, 'lease'>
  /** Stores an error in the journal. @returns its digest */
  readonly report: (thrown: unknown) => string
  readonly log: (line: string) => void
  /** Milliseconds after which another server takes over from a dead one. Default: 15 s. */
  readonly leaseMs?: number
  /** Interval of checks for due jobs, in milliseconds. Default: 1 s. */
  readonly pollMs?: number
}

export const defaultDeadlineMs = 600_000

/** Milliseconds after its due time for which a missed run is made up for. */
const maxDelayMs = 3_600_000
/** Maximum difference between servers' clocks. The result of a run is stored this much longer. */
const maxSkewMs = 600_000
/** Milliseconds that a run may take to end after its signal has aborted, before its lease ends. */
const abortMs = 60_000
/** Milliseconds for which `close()` waits for jobs, before and after it aborts their signals. */
const closeMs = { beforeAbort: 10_000, afterAbort: 4_000 }

type JobState = {
  handledDueMs: number
  /** Resolves when the job is handled or has been left to another server. Never rejects. */
  work: Promise<void> | null
}

const nothing = new Uint8Array()

/**
 * Runs jobs when they are due, each due time once across all servers that share a store. A lease
 * with the job's name keeps runs apart, and a lease with the due time remembers that it was handled.
 * If a server dies, both leases end after `leaseMs`, and another server takes over.
 */
export function createRunner(options: RunnerOptions) {
  const { jobs, driver, report, log, leaseMs = 15_000, pollMs = 1_000 } = options
  const states = new Map(jobs.map((job) => [job, { handledDueMs: 0, work: null } as JobState]))
  // Each one aborts a run of this process.
  const controllers = new Set<AbortController>()
  let isClosing = false
  let hasWarned = false
  let polledAtMs = performance.now()

  function poll(): void {
    const now = performance.now()
    // A frozen process doesn't renew its leases, so another server may run the job now.
    const wasFrozen = now - polledAtMs > Math.max(leaseMs * (2 / 3), pollMs * 3)
    polledAtMs = now
    if (wasFrozen) {
      for (const controller of controllers) controller.abort(new Error('The server was paused.'))
    }
    for (const [job, state] of states) {
      state.work ??= consider(job, state).finally(() => {
        state.work = null
      })
    }
  }

  async function consider(job: Job, state: JobState): Promise<void> {
    const nowMs = Date.now()
    const dueMs = lastDueMs(job, nowMs)
    if (isClosing || dueMs <= state.handledDueMs || nowMs - dueMs > maxDelayMs) return
    try {
      if (await attempt(job, dueMs)) state.handledDueMs = dueMs
    } catch (thrown) {
      log(`The job ${job.name} could not start (digest ${report(thrown)}).`)
    }
  }

  /** @returns true once the due time is handled, by this server or another one */
  async function attempt(job: Job, dueMs: number): Promise<boolean> {
    const { deadlineMs = defaultDeadlineMs } = job
    const turn = await takeLease(`job ${job.name}`, deadlineMs + abortMs)
    if (turn.kind !== 'ours') return false
    try {
      const ttlMs = maxDelayMs + deadlineMs + abortMs + maxSkewMs
      const due = await takeLease(`job ${job.name} ${dueMs}`, ttlMs)
      if (due.kind === 'done') return true
      if (due.kind !== 'ours') return false
      const outcome = isClosing ? 'interrupted' : await runOnce(job, dueMs)
      if (outcome === 'ended') await due.complete(nothing)
      else await due.release()
      return outcome === 'ended'
    } finally {
      await turn.release()
    }
  }

  /**
   * Takes a lease from the shared store. Asks twice, because a driver grants every lease while the
   * store is unavailable, but the store itself grants a lease only once.
   */
  async function takeLease(key: string, ttlMs: number): Promise<Lease> {
    const lease = await driver.lease(key, ttlMs, leaseMs)
    if (lease.kind !== 'ours') return lease
    const second = await driver.lease(key, ttlMs, leaseMs)
    if (second.kind !== 'ours') return lease
    await second.release()
    await lease.release()
    if (!hasWarned) log('The shared store is unavailable, so jobs wait until it is back.')
    hasWarned = true
    return { kind: 'running' }
  }

  async function runOnce(job: Job, dueMs: number): Promise<'ended' | 'interrupted'> {
    const { name, deadlineMs = defaultDeadlineMs } = job
    hasWarned = false
    const controller = new AbortController()
    const { signal } = controller
    const running = (async () => job.run({ dueAt: new Date(dueMs), signal }))()
    const ended = running.then(
      () => {},
      (thrown: unknown) => {
        // An abort is reported below, with its reason.
        if (!signal.aborted) log(`The job ${name} failed (digest ${report(thrown)}).`)
      },
    )
    controllers.add(controller)
    const timeout = new DOMException(
      `The job ${name} took longer than ${deadlineMs} ms.`,
      'TimeoutError',
    )
    const deadline = setTimeout(() => controller.abort(timeout), deadlineMs)
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        const timer = setTimeout(resolve, abortMs)
        timer.unref()
      })
    })
    await Promise.race([ended, aborted])
    clearTimeout(deadline)
    controllers.delete(controller)
    if (!signal.aborted) return 'ended'
    if (signal.reason !== timeout) return 'interrupted'
    log(`The job ${name} took too long (digest ${report(timeout)}).`)
    return 'ended'
  }

  const timer = setInterval(poll, pollMs)
  timer.unref()

  return {
    /** Starts no further runs, and waits for the running ones. Aborts runs that take too long. */
    async close(): Promise<void> {
      isClosing = true
      const allWork = Promise.all([...states.values()].map(({ work }) => work))
      if ((await withDeadline(allWork, closeMs.beforeAbort)) === timedOut) {
        for (const controller of controllers) controller.abort(new Error('The server shuts down.'))
        await withDeadline(allWork, closeMs.afterAbort)
      }
      clearInterval(timer)
    },
  }
}
