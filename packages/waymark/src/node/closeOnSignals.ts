import type { NodeServer } from './serve.ts'

/** The parts of `process` that ending it needs. */
export type SignalSource = {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown
  exit(code: number): void
}

/** What happens around the end of the process, and through whom. */
export type CloseOptions = {
  /** Runs after the last request: flush a journal, close a database. */
  readonly beforeExit?: () => Promise<void> | void
  /** Default: `process`. */
  readonly source?: SignalSource
  /** Default: `console.error`. */
  readonly onError?: (message: string, error: unknown) => void
}

/**
 * Ends the process on SIGTERM and SIGINT: first the server, gracefully, then with code 0. A second
 * signal ends it at once, with the code shells give to a signal. SIGINT is a person at a terminal, for
 * whom no balancer has to notice anything: the delay is left out.
 */
export function closeOnSignals(
  server: Pick<NodeServer, 'close'>,
  options: CloseOptions = {},
): void {
  const { beforeExit, source = process, onError = console.error } = options
  let isClosing = false
  const onSignal = async (signal: NodeJS.Signals) => {
    if (isClosing) {
      source.exit(signal === 'SIGINT' ? 130 : 143)
      return
    }
    isClosing = true
    try {
      await server.close({ isHurried: signal === 'SIGINT' })
      await beforeExit?.()
      source.exit(0)
    } catch (error) {
      onError('The server could not be closed.', error)
      source.exit(1)
    }
  }
  source.on('SIGTERM', onSignal)
  source.on('SIGINT', onSignal)
}
