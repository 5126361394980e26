import type { HydrationOptions } from 'react-dom/client'
import { signalOf } from '../shared/signals.ts'
import type { ErrorReports } from './errorReports.ts'

/**
 * What React tells of errors goes to the journal, with the component stack that only React knows,
 * and to the console as ever. A signal is no error.
 */
export function hydrationErrors({ report }: ErrorReports): HydrationOptions {
  return {
    onCaughtError(error, { componentStack }) {
      if (signalOf(error)) return
      void report(error, { source: 'boundary', componentStack })
      console.error(...consoleArguments(error, componentStack))
    },
    onUncaughtError(error, { componentStack }) {
      void report(error, { source: 'uncaught', componentStack })
      // For those who listen to the window.
      reportError(error)
    },
    onRecoverableError(error, { componentStack }) {
      if (signalOf(error)) return
      void report(error, { source: 'recoverable', componentStack })
      console.error(...consoleArguments(error, componentStack))
    },
  }
}

function consoleArguments(error: unknown, componentStack: string | undefined): unknown[] {
  return import.meta.env.DEV && componentStack ? [error, componentStack] : [error]
}
