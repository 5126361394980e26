import { frameworkError } from '../shared/errors.ts'
import { neverThrows } from '../shared/neverThrows.ts'
import { type GivenOptions, parsePort } from './arguments.ts'
import type { Terminal } from './terminal.ts'

/** Where a server listens. */
export type ListenOptions = {
  readonly port: number
  /** Absent: every address. */
  readonly host?: string
}

const defaultPort = 3000

/**
 * Finds out where to listen: the command line wins over the environment.
 * @throws `PORT_VALUE` when PORT is no port
 */
export function listenOptions(
  options: Pick<GivenOptions, 'port' | 'host'>,
  env: Readonly<Record<string, string | undefined>>,
): ListenOptions {
  const host = options.host ?? env.HOST
  return { port: options.port ?? portOf(env), ...(host ? { host } : {}) }
}

function portOf(env: Readonly<Record<string, string | undefined>>): number {
  const value = env.PORT
  if (value === undefined || value === '') return defaultPort
  const port = parsePort(value)
  if (port === null) throw frameworkError('PORT_VALUE', { source: 'PORT', value })
  return port
}

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
