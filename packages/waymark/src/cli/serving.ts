import { frameworkError } from '../shared/errors.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { type ParsedOptions, parsePort } from './commandOptions.ts'
import type { Terminal } from './terminal.ts'

const defaultPort = 3000

/**
 * The command line wins over the environment; default: all addresses.
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
  /** Reports an error to journal and log; `null` until the app is loaded. */
  readonly report: () => ((thrown: unknown) => string) | null
  /** Ends the process after an exception. Default: the process continues. */
  readonly onException?: (() => Promise<void>) | undefined
  /** Default: `process`. */
  readonly source?: {
    on(event: 'unhandledRejection' | 'uncaughtException', listen: (thrown: unknown) => void): void
    exit(code: number): void
  }
}

/**
 * Reports uncaught errors and keeps the process alive, so that an error of one page does not stop
 * the others.
 * @returns the number of exceptions so far
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
