import { frameworkError } from '../../shared/errors.ts'

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
