import { neverThrows } from '../../shared/neverThrows.ts'

/** The end of a wait. */
export type TimeLimit = {
  /** Resolves when the time is over, or the client has left: never rejects. */
  readonly over: Promise<void>
  /** To be called when nobody waits any more. */
  clear(): void
}

// The longest that a timer can be set to: beyond, it would fire at once.
const longestMs = 2 ** 31 - 1

/**
 * Limits a wait for the code of an app.
 * @param withinMs may be infinite: then only the client's leaving ends it
 */
export function createTimeLimit(withinMs: number, signal: AbortSignal): TimeLimit {
  let resolve = () => {}
  const over = new Promise<void>((settle) => {
    resolve = settle
  })
  const end = neverThrows(() => resolve(), undefined)
  const timer = Number.isFinite(withinMs)
    ? setTimeout(end, Math.min(withinMs, longestMs))
    : undefined
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  return {
    over,
    clear() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}
