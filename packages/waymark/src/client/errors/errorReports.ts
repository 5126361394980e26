import { trace } from '../../wire/trace.ts'
import type { ErrorDetails, ErrorReporter, Visits } from './errorReporter.ts'

export type ErrorReports = ReturnType<typeof createErrorReports>

type Report = (reporter: ErrorReporter, target: string) => string | null

/**
 * Maximum number of errors that wait for the reporter to load. Later errors are dropped, because
 * the first ones are usually the cause.
 */
const maxWaiting = 10
const retryMs = 5000
const maxVisits = 5

export function createErrorReports(view: Window) {
  const visits: Visits = { targets: [targetOf(view.location)], build: null }
  let loading: Promise<ErrorReporter> | null = null
  let waiting = 0

  function load(): Promise<ErrorReporter> {
    loading ??= import('./errorReporter.ts').then((code) => {
      waiting = Number.NEGATIVE_INFINITY
      return code.createErrorReporter(visits)
    })
    return loading
  }
  async function send(report: Report): Promise<string | null> {
    const target = targetOf(view.location)
    if (waiting++ >= maxWaiting) return null
    try {
      const digest = report(await load(), target)
      if (import.meta.env.DEV && digest !== null) {
        showFailure(digest)
        trace({ type: 'error', digest })
      }
      return digest
    } catch {
      // If the reporter couldn't be loaded, try again later, because the network may have failed.
      view.setTimeout(() => {
        loading = null
        waiting = 0
      }, retryMs)
      return null
    }
  }
  const onUncaught = (event: Event) =>
    void send((reporter, target) => reporter.reportEvent(event, target))
  for (const type of ['error', 'unhandledrejection']) view.addEventListener(type, onUncaught)

  return {
    visited(page: URL): void {
      if (visits.targets.push(targetOf(page)) > maxVisits) visits.targets.shift()
    },
    setBuild(build: string | null): void {
      visits.build = build
    },
    /** Reports a thrown value. @returns the digest to show, or `null` if it isn't in the journal */
    report: (thrown: unknown, details: Omit<ErrorDetails, 'target'>): Promise<string | null> =>
      send((reporter, target) => reporter.report(thrown, { ...details, target })),
    load: (): void => void load().catch(() => {}),
  }
}

function targetOf({ pathname, search }: Location | URL): string {
  return pathname + search
}

/**
 * Shows the overlay for an error in development. The dev server looks up the error's details by the
 * digest.
 */
export function showFailure(digest: string | null): void {
  if (!import.meta.env.DEV || digest === null) return
  const overlay = `${import.meta.env.BASE_URL}@id/virtual:waymark/overlay`
  const code = import(/* @vite-ignore */ overlay)
  code.then(({ show }) => show(digest)).catch(() => {})
}
