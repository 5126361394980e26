import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { frameworkError } from '../../shared/errors.ts'
import type { PrerenderFailure, PrerenderJob, PrerenderOutcome, WorkerMessage } from './messages.ts'

/** How an app's pages are rendered ahead. */
export type PrerenderAppOptions = {
  readonly job: PrerenderJob
  readonly pageTimeoutMs: number
  /** Hears how far it is. */
  readonly onProgress: (text: string) => void
  /** Hears what the app's code prints. */
  readonly onOutput: (text: string) => void
}

const worker = fileURLToPath(new URL('./prerenderWorker.js', import.meta.url))

/**
 * Renders an app's static pages, in a process of their own.
 * @throws `PRERENDER_FAILED`, `PRERENDER_TIMEOUT`
 */
export async function prerenderApp(options: PrerenderAppOptions): Promise<PrerenderOutcome> {
  const child = fork(worker, [], {
    execArgv: ['--enable-source-maps'],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.stdout?.setEncoding('utf8').on('data', options.onOutput)
  child.stderr?.setEncoding('utf8').on('data', options.onOutput)
  try {
    return await outcomeOf(child, options)
  } finally {
    // It is done, or nothing good will come of it: what its code left open does not count.
    child.kill('SIGKILL')
  }
}

function outcomeOf(child: ChildProcess, options: PrerenderAppOptions): Promise<PrerenderOutcome> {
  const running = new Map<string, RunningPage>()
  const now = () => performance.now()
  let heardMs = now()
  let total = 0
  let done = 0
  return new Promise((resolve, reject) => {
    const watch = setInterval(() => {
      const { pageTimeoutMs: timeoutMs, onProgress } = options
      const watched = { running, heardMs: () => heardMs, timeoutMs, now }
      const error = findOverdue(watched)
      if (error) return fail(error)
      const slow = describeSlow(watched)
      if (slow) onProgress(slow)
    }, 1_000)
    const settled = <T>(settle: (value: T) => void) => {
      return (value: T) => {
        clearInterval(watch)
        settle(value)
      }
    }
    const fail = settled(reject)
    child.on('error', fail)
    child.on('exit', (code, signal) => fail(endedEarly(code ?? signal, running)))
    child.on('message', (message: WorkerMessage) => {
      heardMs = now()
      switch (message.kind) {
        case 'planned':
          total = message.total
          break
        case 'started':
          running.set(message.pathname, { file: message.file, sinceMs: heardMs })
          break
        case 'ended':
          running.delete(message.pathname)
          options.onProgress(`${++done} of ${total} pages`)
          break
        case 'done':
          settled(resolve)(message.outcome)
          break
        case 'failed':
          fail(failedPages(message.failures))
          break
        case 'broken':
          fail(Object.assign(new Error(message.message), { stack: message.stack ?? undefined }))
      }
    })
    child.send(options.job)
  })
}

function endedEarly(
  reason: number | NodeJS.Signals | null,
  running: ReadonlyMap<string, { file: string }>,
): Error {
  const [[pathname, { file }] = ['the app', { file: 'its modules' }]] = running
  const how = `its process ended (${reason})`
  return frameworkError('PRERENDER_FAILED', { pathname, file, reason: how })
}

function failedPages(failures: readonly PrerenderFailure[]): Error {
  const [first, ...others] = failures
  if (!first) return new Error('Prerendering failed without a failure.')
  const error = frameworkError('PRERENDER_FAILED', first)
  const more = others.map(({ pathname, file, reason }) => `\n  ${pathname} (${file}): ${reason}`)
  if (more.length > 0) error.message += `\nAlso failed:${more.join('')}`
  return Object.assign(error, { cause: causeOf(first) })
}

function causeOf({ reason, stack }: PrerenderFailure): Error {
  return Object.assign(new Error(reason), { stack: stack ?? reason })
}

/** A page that is being rendered. */
export type RunningPage = { readonly file: string; readonly sinceMs: number }

/** What watching needs. */
export type WatchOptions = {
  readonly running: ReadonlyMap<string, RunningPage>
  /** When the process that renders has last told something. */
  readonly heardMs: () => number
  readonly timeoutMs: number
  readonly now: () => number
}

// From here on, someone who waits wants to know for what.
const slowMs = 5_000

/**
 * Finds the pages that take too long. A process that tells nothing any more computes for ever:
 * then any of the pages it was at may be the one.
 * @returns the error, or `null`
 */
export function findOverdue({ running, heardMs, timeoutMs, now }: WatchOptions): Error | null {
  const isOverdue = ({ sinceMs }: RunningPage) => now() - sinceMs >= timeoutMs
  const overdue = [...running].filter(([, page]) => isOverdue(page))
  const isBlocked = now() - heardMs() >= timeoutMs / 2
  const suspects = isBlocked && overdue.length > 0 ? [...running] : overdue
  if (suspects.length === 0) return null
  const pages = suspects.map(([pathname, { file }]) => `${pathname} (${file})`)
  return frameworkError('PRERENDER_TIMEOUT', { pages, seconds: timeoutMs / 1000 })
}

/** Says which page is being waited for, once that has taken a while; `null` before. */
export function describeSlow({ running, now }: WatchOptions): string | null {
  const slow = [...running].find(([, { sinceMs }]) => now() - sinceMs >= slowMs)
  if (!slow) return null
  const [pathname, { sinceMs }] = slow
  return `waiting for ${pathname}, ${Math.floor((now() - sinceMs) / 1000)} s`
}
