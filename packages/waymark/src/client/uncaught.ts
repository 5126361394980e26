import type { BeaconSource } from '../shared/errorBeacon.ts'

/** What nobody caught: an error in an event handler or an effect, a rejected promise. */
export type UncaughtError = { readonly thrown: unknown; readonly source: BeaconSource }

/**
 * Reads what an event of the window tells.
 * @param event of the type `error` or `unhandledrejection`
 * @returns `null` for one that tells nothing
 */
export function uncaught(event: Event): UncaughtError | null {
  if (event.type === 'unhandledrejection') {
    return { thrown: (event as PromiseRejectionEvent).reason, source: 'unhandledrejection' }
  }
  const { error, message, filename, lineno, colno } = event as ErrorEvent
  if (isNoise(message, filename)) return null
  // Some errors come as words only.
  const stack = `@${filename}:${lineno}:${colno}`
  return { thrown: error ?? { name: 'Error', message, stack }, source: 'error' }
}

// Of scripts of other origins nothing is told but this; and browsers say the second when a page
// resizes what it observes, which harms nothing and has no cause in any file.
function isNoise(message: string | undefined, filename: string | undefined): boolean {
  if (message === 'Script error.' && !filename) return true
  return /^ResizeObserver loop/.test(message ?? '')
}
