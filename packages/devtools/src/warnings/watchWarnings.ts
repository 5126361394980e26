// Matches React's warnings about mistakes that make a build misbehave. React's warnings have no
// codes, so the pattern matches their messages.
const reportedWarnings =
  /^(?:%s is an async Client Component|A tree hydrated but some attributes|In HTML, %s cannot be)/

/**
 * Reports some of React's warnings as errors in the page, so that the overlay shows them. Ignores
 * warnings that the browser's translation of the page causes. Call this before React runs.
 */
export function watchWarnings(): void {
  let ownerStack: () => string | null = () => null
  // React prints no warnings before it runs in the page, so load it asynchronously.
  import('react').then(
    ({ captureOwnerStack }) => {
      ownerStack = captureOwnerStack ?? ownerStack
    },
    // Without React, only the component stack is missing.
    () => {},
  )
  const { error: log } = console
  console.error = (...args: unknown[]) => {
    const text = reportedText(args)
    if (text !== null && isOfTranslator(text)) return
    log.apply(console, args)
    if (text !== null) report(text, ownerStack())
  }
}

/**
 * @param args arguments of `console.error` @returns the message; `null` for a call that isn't
 * reported
 */
export function reportedText([format, ...values]: readonly unknown[]): string | null {
  if (typeof format !== 'string' || !reportedWarnings.test(format)) return null
  const rest = [...values]
  return format.replace(/%s/g, () => String(rest.shift() ?? ''))
}

/**
 * True if the browser's translation has caused the mismatch. Translators replace text nodes with
 * elements.
 */
function isOfTranslator(text: string): boolean {
  return text.startsWith('A tree hydrated') && document.querySelector('font > font') !== null
}

/** Dispatches an error event. `reportError()` would print the warning a second time. */
function report(message: string, stack: string | null): void {
  const error = new Error(message)
  error.stack = stack ?? ''
  dispatchEvent(new ErrorEvent('error', { error, message }))
}
