import { errorBeaconPath } from '../shared/errorBeacon.ts'
import type { ErrorReporter } from './reportError.ts'

/**
 * Reports what nobody caught: errors in event handlers and effects, rejected promises.
 * @param early what occurred before
 * @returns stops listening
 */
export function listenToErrors(
  reporter: ErrorReporter,
  target: EventTarget = window,
  early: readonly Event[] = [],
): () => void {
  const onError = (event: Event) => {
    const { error, message, filename, lineno, colno } = event as ErrorEvent
    if (isNoise(message, filename)) return
    // Some errors come as words only.
    const stack = `@${filename}:${lineno}:${colno}`
    reporter.report(error ?? { name: 'Error', message, stack }, { source: 'error' })
  }
  const onRejection = (event: Event) => {
    const { reason } = event as PromiseRejectionEvent
    reporter.report(reason, { source: 'unhandledrejection' })
  }
  for (const event of early) (event.type === 'error' ? onError : onRejection)(event)
  target.addEventListener('error', onError)
  target.addEventListener('unhandledrejection', onRejection)
  return () => {
    target.removeEventListener('error', onError)
    target.removeEventListener('unhandledrejection', onRejection)
  }
}

/** Sends a beacon, which the browser does even while it leaves the page. */
export function sendErrorBeacon(beacon: Blob): void {
  // Older browsers, and blockers of trackers, have no such function or one that refuses.
  if (navigator.sendBeacon?.(errorBeaconPath, beacon)) return
  fetch(errorBeaconPath, { method: 'POST', body: beacon, keepalive: true }).catch(() => {})
}

// Of scripts of other origins nothing is told but this; and browsers say the second when a page
// resizes what it observes, which harms nothing and has no cause in any file.
function isNoise(message: string | undefined, filename: string | undefined): boolean {
  if (message === 'Script error.' && !filename) return true
  return /^ResizeObserver loop/.test(message ?? '')
}
