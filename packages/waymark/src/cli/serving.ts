import { frameworkError } from '../shared/errors.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { type ParsedOptions, parsePort } from './commandOptions.ts'
import type { Terminal } from './terminal.ts'

const defaultPort = 3000

/**
 * Reads the port and host. The command line takes precedence over the environment. Default: port
 * 3000 on all addresses.
 *
 * @throws `PORT_VALUE` for an invalid PORT
 */
export function listenOptions(
  options: Pick<ParsedOptions, 'port' | 'host'>,
  env: Readonly<Record<string, string | undefined>>,
): { port: number; host?: string } {
  const host = options.host ?? env.HOST
  const { PORT: value } = env
  const port = options.port ?? (value ? parsePort(value) : defaultPort)
  if (port === null) throw frameworkError('PORT_VALUE', { source: 'PORT', value: value ?? '' })
  return { port, ...(host ? { host } : {}) }
}

export type ProcessErrorsOptions = {
  /**
   * Returns the function that records an error in the journal and the log; `null` until the app is
   * loaded.
   */
  readonly report: () => ((thrown: unknown) => string) | null
  /** Ends the process after an uncaught exception. By default, the process keeps running. */
  readonly onException?: (() => Promise<void>) | undefined
  /** Source of the events. Default: `process`. */
  readonly source?: {
    on(event: 'unhandledRejection' | 'uncaughtException', listen: (thrown: unknown) => void): void
    exit(code: number): void
  }
}

/**
 * Reports uncaught errors and keeps the process alive, so that an error in one page doesn't stop
 * the others.
 *
 * @returns a function that returns the number of exceptions so far
 */
export function reportProcessErrors(
  terminal: Terminal,
  { report, onException, source = process }: ProcessErrorsOptions,
): { uncaughtExceptions(): number } {
  const log = neverThrows((text: string, thrown: unknown) => {
    terminal.fail(text)
    const write = report()
    if (write) write(thrown)
    else terminal.failWith(thrown)
  }, undefined)
  source.on('unhandledRejection', (reason) => {
    log('Unhandled promise rejection:', reason)
  })
  let isEnding = false
  let uncaughtExceptions = 0
  source.on('uncaughtException', (thrown) => {
    uncaughtExceptions++
    const end = onException && !isEnding ? 'The server exits with 1. ' : ''
    log(`${end}Uncaught exception:`, thrown)
    if (!onException || isEnding) return
    isEnding = true
    onException().catch(() => source.exit(1))
  })
  return { uncaughtExceptions: () => uncaughtExceptions }
}
