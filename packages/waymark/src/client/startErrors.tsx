import type { ReactNode } from 'react'
import type { HydrationOptions } from 'react-dom/client'
import { signalOf } from '../shared/signals.ts'
import { DigestContext } from './contexts.ts'
import type { EarlyErrors } from './earlyErrors.ts'
import { listenToErrors, sendErrorBeacon } from './listenToErrors.ts'
import { createErrorReporter, type ErrorReporter } from './reportError.ts'
import type { Router } from './router.ts'
import { showFailure } from './showFailure.ts'

/** The errors of a document, on their way to the journal. */
export type DocumentErrors = {
  /** Remembers the pages that the router comes to, and where they come from. */
  follow(router: Pick<Router, 'on'>, buildId: string | null): void
  /** Gives boundaries the digests of what they catch. */
  wrap(app: ReactNode): ReactNode
  readonly hydration: HydrationOptions
}

/** Begins to report the errors of the document, those before included. */
export function startErrors(early: EarlyErrors): DocumentErrors {
  const reporter = shown(
    createErrorReporter({ send: sendErrorBeacon, shownTarget: () => targetOf(location) }),
  )
  reporter.visited(targetOf(location))
  listenToErrors(reporter, window, early.take())
  const digestOf = (thrown: unknown) => reporter.report(thrown, { source: 'boundary' })
  return {
    follow(router, buildId) {
      reporter.builtBy(buildId)
      router.on('commit', ({ url }) => reporter.visited(targetOf(url)))
    },
    wrap: (app) => <DigestContext value={digestOf}>{app}</DigestContext>,
    hydration: hydrationOptions(reporter),
  }
}

/**
 * What React tells of errors goes to the reporter, with the component stack that only React knows,
 * and to the console as ever. A signal is no error.
 */
function hydrationOptions(reporter: ErrorReporter): HydrationOptions {
  return {
    onCaughtError(error, { componentStack }) {
      if (signalOf(error)) return
      reporter.report(error, { source: 'boundary', componentStack })
      console.error(...consoleArguments(error, componentStack))
    },
    onUncaughtError(error, { componentStack }) {
      reporter.report(error, { source: 'uncaught', componentStack })
      // For those who listen to the window.
      reportError(error)
    },
    onRecoverableError(error, { componentStack }) {
      if (signalOf(error)) return
      reporter.report(error, { source: 'recoverable', componentStack })
      console.error(...consoleArguments(error, componentStack))
    },
  }
}

/** In development, what is reported is shown over the page. */
function shown(reporter: ErrorReporter): ErrorReporter {
  if (!import.meta.env.DEV) return reporter
  return {
    ...reporter,
    report(thrown, details) {
      const digest = reporter.report(thrown, details)
      showFailure(digest)
      return digest
    },
  }
}

function consoleArguments(error: unknown, componentStack: string | undefined): unknown[] {
  return import.meta.env.DEV && componentStack ? [error, componentStack] : [error]
}

function targetOf({ pathname, search }: Location | URL): string {
  return pathname + search
}
