// What React only warns about, and a build would do wrong. React gives its warnings no code.
const reportedWarnings =
  /^(?:%s is an async Client Component|A tree hydrated but some attributes|In HTML, %s cannot be)/

/**
 * Reports warnings of React as errors of the page, with the overlay, and leaves those out that a
 * translator of the browser causes. Runs before React.
 */
export function watchWarnings(): void {
  let ownerStack: () => string | null = () => null
  // Pages that React does not run in yet have no warnings of it.
  import('react').then(
    ({ captureOwnerStack }) => {
      ownerStack = captureOwnerStack ?? ownerStack
    },
    // Without React, the stack alone is missing.
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

/** @param args of `console.error` @returns `null` for what is not reported */
export function reportedText([format, ...values]: readonly unknown[]): string | null {
  if (typeof format !== 'string' || !reportedWarnings.test(format)) return null
  const rest = [...values]
  return format.replace(/%s/g, () => String(rest.shift() ?? ''))
}

/** Translators put an element in the place of a text: the app has not caused the difference. */
function isOfTranslator(text: string): boolean {
  return text.startsWith('A tree hydrated') && document.querySelector('font > font') !== null
}

/** Not `reportError()`, which would print the warning a second time. */
function report(message: string, stack: string | null): void {
  const error = new Error(message)
  error.stack = stack ?? ''
  dispatchEvent(new ErrorEvent('error', { error, message }))
}
