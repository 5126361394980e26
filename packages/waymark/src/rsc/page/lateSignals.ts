import type { Occurrence } from '../../journal/reportError.ts'
import { signalOf } from '../../shared/signals.ts'

/** Hears of a signal that came after the status of its page was sent. */
export type OnLateSignal = (thrown: unknown, at: Occurrence) => void

/**
 * Counts late signals by route, and says so: each one in development, with the line of the call;
 * otherwise the first, the tenth, the hundredth.
 */
export function createLateSignals(write: (line: string) => void): OnLateSignal {
  const counts = new Map<string, number>()
  return function onLateSignal(thrown, { pathname, match }) {
    const route = match?.pattern || (pathname ?? '')
    const count = (counts.get(route) ?? 0) + 1
    counts.set(route, count)
    if (!import.meta.env.DEV && !Number.isInteger(Math.log10(count))) return
    const signal = signalOf(thrown)
    const call = signal?.kind === 'redirect' ? 'A redirect' : `The status ${signal?.status}`
    const line = import.meta.env.DEV && thrown instanceof Error ? `\n${callerOf(thrown)}` : ''
    write(
      `${call} came after the head of ${route} was sent with 200 (${count} times so far). ` +
        `Call it before the first await of the page, give what it waits for to gate(), or raise ` +
        `statusDeadlineMs.${line}`,
    )
  }
}

// The first frames are the signal's own function.
function callerOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').slice(1)
  const own = frames.find((frame) => !frame.includes('/shared/') && !frame.includes('waymark/dist'))
  return own ?? frames[0] ?? ''
}
