import { neverThrows } from '../shared/neverThrows.ts'

export type SignalSource = {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown
  exit(code: number): void
}

/** Options of `closeOnSignals`. */
export type CloseOptions = {
  /** Runs after the last request: flush a journal, close a database. */
  readonly beforeExit?: () => Promise<void> | void
  /** Ignores a second signal: a supervisor and the terminal may both send one. */
  readonly isPatient?: boolean
  /** Default: `process`. */
  readonly source?: SignalSource
  /** Default: `console.error`. */
  readonly onError?: (message: string, error: unknown) => void
}

/**
 * Ends the process on SIGTERM and SIGINT: closes the server, then exits with code 0. A second
 * signal exits at once with the shell's code for that signal. SIGINT comes from a person at a
 * terminal, so it skips the drain delay.
 * @returns a function that ends the process without a signal
 */
export function closeOnSignals(
  server: { close(how: { readonly isHurried: boolean }): Promise<unknown> },
  options: CloseOptions = {},
): { close(isHurried: boolean): Promise<void> } {
  const { beforeExit, isPatient = false, source = process, onError = console.error } = options
  let isClosing = false
  const close = async (isHurried: boolean) => {
    if (isClosing) return
    isClosing = true
    try {
      await server.close({ isHurried })
      await beforeExit?.()
      source.exit(0)
    } catch (error) {
      onError('The server could not be closed.', error)
      source.exit(1)
    }
  }
  const onSignal = neverThrows((signal: NodeJS.Signals) => {
    if (isClosing && !isPatient) source.exit(signal === 'SIGINT' ? 130 : 143)
    else void close(signal === 'SIGINT')
  }, undefined)
  source.on('SIGTERM', onSignal)
  source.on('SIGINT', onSignal)
  return { close }
}
