import { type ChildProcess, fork } from 'node:child_process'
import type { PlannedRoute, PrerenderedManifest } from '../../builds/cachedPage.ts'
import { filePathOf, isBelow, pathFrom } from '../../journal/filePaths.ts'
import { frameLines, parseFrame } from '../../journal/thrownText.ts'
import { memoryFlags } from '../../node/memoryFlags.ts'
import { frameworkError } from '../../shared/errors.ts'
import { frameworkFile } from '../config/frameworkFiles.ts'

export type PrerenderAppOptions = {
  readonly job: PrerenderJob
  readonly pageTimeoutMs: number
  readonly onProgress: (text: string) => void
  readonly onOutput: (text: string) => void
  /** Receives a description of the pages that took longest. */
  readonly onDetail: (text: string) => void
}

/**
 * Renders static pages in a separate process.
 *
 * @throws `PRERENDER_FAILED`, `PRERENDER_TIMEOUT`
 */
export async function prerenderApp(options: PrerenderAppOptions): Promise<PrerenderOutcome> {
  const child = fork(frameworkFile('prerenderWorker'), [], {
    execArgv: ['--enable-source-maps', ...memoryFlags()],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.stdout?.setEncoding('utf8').on('data', options.onOutput)
  child.stderr?.setEncoding('utf8').on('data', options.onOutput)
  try {
    return await outcomeOf(child, options)
  } finally {
    // End the process without waiting for timers and connections that the app's code has left open.
    child.kill('SIGKILL')
  }
}

function outcomeOf(child: ChildProcess, options: PrerenderAppOptions): Promise<PrerenderOutcome> {
  const { pageTimeoutMs: timeoutMs, onProgress, onDetail } = options
  const running = new Map<string, RunningPage>()
  const rendered: RenderedPage[] = []
  const now = () => performance.now()
  let messageAtMs = now()
  let total = 0
  let watch: NodeJS.Timeout | undefined
  const outcome = new Promise<PrerenderOutcome>((resolve, reject) => {
    watch = setInterval(() => {
      const watched = { running, messageAtMs, timeoutMs, nowMs: now() }
      const error = findOverdue(watched)
      if (error) return reject(error)
      const slow = describeSlow(watched)
      if (slow) onProgress(slow)
    }, 1_000)
    child.on('error', reject)
    child.on('exit', (code, signal) => reject(processExitError(code ?? signal, running)))
    child.on('message', (message: PrerenderMessage) => {
      messageAtMs = now()
      switch (message.kind) {
        case 'planned':
          total = message.total
          break
        case 'started':
          running.set(message.pathname, { file: message.file, sinceMs: messageAtMs })
          break
        case 'ended':
          rendered.push({
            pathname: message.pathname,
            ms: messageAtMs - (running.get(message.pathname)?.sinceMs ?? messageAtMs),
          })
          running.delete(message.pathname)
          onProgress(`${rendered.length} of ${total} pages`)
          break
        case 'done':
          onDetail(describeLongest(rendered))
          resolve(message.outcome)
          break
        case 'failed':
          reject(failedPages(message.failures))
          break
        case 'broken':
          reject(Object.assign(new Error(message.reason), { stack: message.stack ?? undefined }))
      }
    })
    child.send(options.job)
  })
  return outcome.finally(() => clearInterval(watch))
}

type RenderedPage = { readonly pathname: string; readonly ms: number }

function describeLongest(pages: readonly RenderedPage[]): string {
  const longest = pages.toSorted((a, b) => b.ms - a.ms).slice(0, 3)
  const each = longest.map(({ pathname, ms }) => `${pathname} ${(ms / 1000).toFixed(1)} s`)
  return `${pages.length} pages, slowest ${each.join(', ')}`
}

/** V8 aborts a process without memory, and the system kills it. */
const memoryReasons: ReadonlySet<unknown> = new Set(['SIGABRT', 'SIGKILL', 134, 137])

function processExitError(
  reason: number | NodeJS.Signals | null,
  running: ReadonlyMap<string, { file: string }>,
): Error {
  const [[pathname, { file }] = ['the app', { file: 'its modules' }]] = running
  if (memoryReasons.has(reason)) {
    const pages = [...running].map(([name, page]) => `${name} (${page.file})`)
    return frameworkError('PRERENDER_MEMORY', { pages, reason })
  }
  const how = `its process ended (${reason})`
  return frameworkError('PRERENDER_FAILED', { pathname, file, reason: how })
}

function failedPages(failures: readonly PrerenderFailure[]): Error {
  const [first, ...others] = failures
  if (!first) return new Error('Prerendering failed without an error.')
  const error = frameworkError('PRERENDER_FAILED', first)
  const more = others.map(({ pathname, file, reason }) => `\n  ${pathname} (${file}): ${reason}`)
  if (more.length > 0) error.message += `\nAlso failed:${more.join('')}`
  const cause = Object.assign(new Error(first.reason), { stack: first.stack ?? first.reason })
  return Object.assign(error, { cause })
}

/**
 * Describes the errors of client components, with their positions and their consequences for the
 * page.
 */
export function describeClientFailures(failures: readonly ClientFailure[], root: string) {
  /** Errors in pages that are missing from the build. */
  const leftOut: string[] = []
  /**
   * Errors in pages that are in the build, with a Suspense fallback in place of the failed part.
   */
  const inSuspense: string[] = []
  for (const { pathname, file, reason, stack, isInSuspense } of failures) {
    const place = placeInApp(stack ?? '', root)
    const what = `${pathname} (${file}): a client component threw "${reason}"${place && ` at ${place}`}`
    if (isInSuspense)
      inSuspense.push(
        `${what}. The page shows the Suspense fallback until the browser renders the component.`,
      )
    else
      leftOut.push(
        `${what}. The page wasn't prerendered. The server responds with status 500 and the error screen, and the browser then renders the page. Put Suspense around components that only a browser can render.`,
      )
  }
  return { leftOut, inSuspense }
}

/**
 * Returns the first line of a stack that is in the author's code, such as `app/map.tsx:7:18`, or an
 * empty string.
 */
function placeInApp(stack: string, root: string): string {
  for (const { file, line, column } of frameLines(stack).map(parseFrame)) {
    if (file === null) continue
    const path = filePathOf(file)
    if (!isBelow(root, path)) continue
    const name = pathFrom(root, path)
    if (!/node_modules|^\./.test(name)) return `${name}:${line}:${column}`
  }
  return ''
}

export type RunningPage = { readonly file: string; readonly sinceMs: number }

export type WatchedRendering = {
  readonly running: ReadonlyMap<string, RunningPage>
  readonly messageAtMs: number
  readonly timeoutMs: number
  readonly nowMs: number
}

const slowMs = 5_000

/**
 * Finds the pages that take too long. If the process sends no messages, code is blocking it, and
 * any running page may be the cause.
 */
export function findOverdue(watched: WatchedRendering): Error | null {
  const { running, messageAtMs, timeoutMs, nowMs } = watched
  const overdue = [...running].filter(([, { sinceMs }]) => nowMs - sinceMs >= timeoutMs)
  if (overdue.length === 0) return null
  const isBlocked = nowMs - messageAtMs >= timeoutMs / 2
  const suspects = isBlocked ? [...running] : overdue
  const pages = suspects.map(([pathname, { file }]) => `${pathname} (${file})`)
  return frameworkError('PRERENDER_TIMEOUT', { pages, seconds: timeoutMs / 1000 })
}

export function describeSlow({ running, nowMs }: WatchedRendering): string | null {
  for (const [pathname, { sinceMs }] of running) {
    const ms = nowMs - sinceMs
    if (ms >= slowMs) return `waiting for ${pathname} (${Math.floor(ms / 1000)} s)`
  }
  return null
}

export type PrerenderJob = {
  readonly entry: string
  readonly folder: string
  readonly folderName: string
  readonly concurrency: number
  /** Pathnames of the files in `public/`. */
  readonly publicFiles: readonly string[]
}

/** How a route is rendered. `pathnames` lists the pathnames that were prerendered. */
export type PrerenderedRoute = Omit<PlannedRoute, 'rendersOthers'> & {
  /** The only URLs of the route; `null` if it may have others. */
  readonly onlyPathnames: readonly string[] | null
}

export type PrerenderOutcome = Omit<Required<PrerenderedManifest>, 'version'> & {
  /** True if the app has a proxy.ts, or `around` in its server.ts. */
  readonly isProxied: boolean
  /** True if the app's server.ts opens its own stores for the cache and for the journal. */
  readonly hasOwnStores: boolean
  readonly routes: readonly PrerenderedRoute[]
  /**
   * Errors of client components, in pages that are missing from the build and in parts that
   * browsers render.
   */
  readonly clientFailures: readonly ClientFailure[]
}

export type ClientFailure = PrerenderFailure & {
  /** True if the error was thrown inside `Suspense`, so that the page was still written. */
  readonly isInSuspense: boolean
}

export type PrerenderFailure = {
  readonly pathname: string
  readonly file: string
  readonly reason: string
  readonly stack: string | null
}

/** Errors of client components during prerendering, each as one string. */
export type DescribedFailures = ReturnType<typeof describeClientFailures>

export type PrerenderMessage =
  | { readonly kind: 'planned'; readonly total: number }
  | { readonly kind: 'started'; readonly pathname: string; readonly file: string }
  | { readonly kind: 'ended'; readonly pathname: string }
  | { readonly kind: 'done'; readonly outcome: PrerenderOutcome }
  | { readonly kind: 'failed'; readonly failures: readonly PrerenderFailure[] }
  /** The app couldn't be loaded, or its routes couldn't be planned. */
  | { readonly kind: 'broken'; readonly reason: string; readonly stack: string | null }
