/** Errors of a document before anybody reports them. */
export type EarlyErrors = {
  /** Gives them out, and listens no longer. */
  take(): readonly Event[]
}

const events = ['error', 'unhandledrejection']
const maxKept = 10

/**
 * Keeps the errors that nobody caught.
 * @param onFirst called when there is one to be reported
 */
export function keepErrors(view: Window, onFirst: () => void): EarlyErrors {
  const kept: Event[] = []
  const keep = (event: Event) => {
    if (kept.length < maxKept) kept.push(event)
    if (kept.length === 1) onFirst()
  }
  for (const event of events) view.addEventListener(event, keep)
  return {
    take() {
      for (const event of events) view.removeEventListener(event, keep)
      return kept
    },
  }
}
