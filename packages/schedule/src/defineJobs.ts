import { FrameworkError } from 'waymark/drivers'
import type { CreateServerPart } from 'waymark/plugin'
import { problemOfTimes } from './dueTimes.ts'
import { createRunner, defaultDeadlineMs, type Job } from './runner.ts'

export type { Job, JobContext } from './runner.ts'

type Options = { readonly isRunning: boolean }

/**
 * Defines the jobs of an app. Make the result the default export of the file in `schedule({ jobs })`.
 * @throws for a job with invalid times, and for two jobs with the same name
 * @example
 * export default defineJobs([{ name: 'cleanup', at: '03:30', timeZone: 'Europe/Berlin', run: cleanUp }])
 */
export function defineJobs(jobs: readonly Job[]): CreateServerPart<Options> {
  checkJobs(jobs)
  return ({ report }, { isRunning }) => {
    if (!isRunning) return {}
    let runner: ReturnType<typeof createRunner> | null = null
    return {
      attachCache(driver) {
        const log = (line: string) => console.error(line)
        runner ??= createRunner({ jobs, driver, report, log })
      },
      close: async () => runner?.close(),
    }
  }
}

function checkJobs(jobs: readonly Job[]): void {
  const names = new Set<string>()
  for (const job of jobs) {
    const problem = problemOfJob(job, names)
    if (problem !== null) throw new FrameworkError('JOB_OPTION', `Job ${job.name}: ${problem}.`)
    names.add(job.name)
  }
}

function problemOfJob(job: Job, names: ReadonlySet<string>): string | null {
  const { name, deadlineMs = defaultDeadlineMs, run } = job
  if (typeof name !== 'string' || !/^[\w.-]{1,100}$/.test(name)) {
    return 'its name may only have letters, digits, dots, hyphens and underscores'
  }
  if (names.has(name)) return 'another job has the same name'
  if (typeof run !== 'function') return 'run is not a function'
  if (!Number.isSafeInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > maxDeadlineMs) {
    return `deadlineMs must be a whole number from 1 to ${maxDeadlineMs}`
  }
  return problemOfTimes(job)
}

/** One day. */
const maxDeadlineMs = 86_400_000
