import type { Terminal } from './terminal.ts'

/** What becomes of errors that nothing catches. */
export type ProcessErrorsOptions = {
  /** Writes an error into journal and log; `null` as long as there is no app. */
  readonly report: () => ((thrown: unknown) => string) | null
  /** Ends the process after an exception; without it, it goes on. */
  readonly onException?: () => Promise<void>
}

/**
 * Reports errors that nothing catches, where Node would end the process with nothing but a stack.
 * After a rejected promise it goes on: one page's slip must not take the others down.
 */
export function reportProcessErrors(
  terminal: Terminal,
  { report, onException }: ProcessErrorsOptions,
): void {
  const tell = (text: string, thrown: unknown) => {
    terminal.fail(text)
    const write = report()
    if (write) write(thrown)
    else terminal.failWith(thrown)
  }
  process.on('unhandledRejection', (reason) => {
    tell('A promise was rejected, and nothing awaited it:', reason)
  })
  let isEnding = false
  process.on('uncaughtException', (thrown) => {
    const end = onException && !isEnding ? 'The server ends with 1: ' : ''
    tell(`${end}An exception was thrown where nothing catches it:`, thrown)
    if (!onException || isEnding) return
    isEnding = true
    onException().catch(() => process.exit(1))
  })
}
