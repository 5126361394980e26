import { neverThrows } from '../shared/neverThrows.ts'

/** The parts of `process` that ending it needs. */
export type SignalSource = {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown
  exit(code: number): void
}

/** What happens around the end of the process, and through whom. */
export type CloseOptions = {
  /** Runs after the last request: flush a journal, close a database. */
  readonly beforeExit?: () => Promise<void> | void
  /** A second signal changes nothing: one may come from a supervisor, and one from outside. */
  readonly isPatient?: boolean
  /** Default: `process`. */
  readonly source?: SignalSource
  /** Default: `console.error`. */
  readonly onError?: (message: string, error: unknown) => void
}

/**
 * Ends the process on SIGTERM and SIGINT: first the server, gracefully, then with code 0. A second
 * signal ends it at once, with the code shells give to a signal. SIGINT is a person at a terminal, for
 * whom no balancer has to notice anything: the delay is left out.
 * @returns what ends it without a signal
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
