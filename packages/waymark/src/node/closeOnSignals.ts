import type { NodeServer } from './serve.ts'

/** The parts of `process` that ending it needs. */
export type SignalSource = {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown
  exit(code: number): void
}

/**
 * Ends the process on SIGTERM and SIGINT: first the server, gracefully, then with code 0. A second
 * signal ends it at once, with the code shells give to a signal.
 * @param beforeExit runs after the last request: flush a journal, close a database
 */
export function closeOnSignals(
  server: Pick<NodeServer, 'close'>,
  beforeExit: () => Promise<void> | void = () => {},
  source: SignalSource = process,
  onError: (message: string, error: unknown) => void = console.error,
): void {
  let isClosing = false
  const onSignal = async (signal: NodeJS.Signals) => {
    if (isClosing) {
      source.exit(signal === 'SIGINT' ? 130 : 143)
      return
    }
    isClosing = true
    try {
      await server.close()
      await beforeExit()
      source.exit(0)
    } catch (error) {
      onError('The server could not be closed.', error)
      source.exit(1)
    }
  }
  source.on('SIGTERM', onSignal)
  source.on('SIGINT', onSignal)
}
