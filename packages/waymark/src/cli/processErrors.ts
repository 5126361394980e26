import { neverThrows } from '../shared/neverThrows.ts'
import type { Terminal } from './terminal.ts'

/** What becomes of errors that nothing catches. */
export type ProcessErrorsOptions = {
  /** Writes an error into journal and log; `null` as long as there is no app. */
  readonly report: () => ((thrown: unknown) => string) | null
  /** Ends the process after an exception; without it, it goes on. */
  readonly onException?: (() => Promise<void>) | undefined
  /** Default: `process`. */
  readonly source?: {
    on(event: 'unhandledRejection' | 'uncaughtException', listen: (thrown: unknown) => void): void
    exit(code: number): void
  }
}

/** How many errors there were. */
export type ProcessErrors = { uncaughtExceptions(): number }

/**
 * Reports errors that nothing catches, where Node would end the process with nothing but a stack.
 * After it, the process goes on: one page's slip must not take the others down.
 */
export function reportProcessErrors(
  terminal: Terminal,
  { report, onException, source = process }: ProcessErrorsOptions,
): ProcessErrors {
  const tell = neverThrows((text: string, thrown: unknown) => {
    terminal.fail(text)
    const write = report()
    if (write) write(thrown)
    else terminal.failWith(thrown)
  }, undefined)
  source.on('unhandledRejection', (reason) => {
    tell('A promise was rejected, and nothing awaited it:', reason)
  })
  let isEnding = false
  let uncaughtExceptions = 0
  source.on('uncaughtException', (thrown) => {
    uncaughtExceptions++
    const end = onException && !isEnding ? 'The server ends with 1: ' : ''
    tell(`${end}An exception was thrown where nothing catches it:`, thrown)
    if (!onException || isEnding) return
    isEnding = true
    onException().catch(() => source.exit(1))
  })
  return { uncaughtExceptions: () => uncaughtExceptions }
}
