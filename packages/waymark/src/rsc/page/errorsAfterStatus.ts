import type { ReactNode } from 'react'
import { carriedDigest, type Occurrence } from '../../journal/reportError.ts'
import { type ScreenRequest, screenModel, screenOfStatus } from '../../screens/model.ts'
import { screenMarkup } from '../../screens/screenDocument.ts'
import type { ScreenLocale } from '../../screens/screenTexts.ts'
import { screenStyle } from '../../screens/style.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { escapeHtml } from '../../shared/html.ts'
import { signalOf } from '../../wire/signals.ts'
import { renderFallback } from './fallbacks.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import type { PageFailure } from './pageStatus.ts'

/** Renders the fallback screen for a layout or page that threw after the status was sent. */
export function renderScreenAfterStatus(
  failure: PageFailure,
  page: PageRequest,
  app: PageApp,
): Promise<ReactNode> {
  if (signalOf(failure.thrown)) app.warnOfSignal(failure.thrown, page)
  return renderFallback(failure, page, app)
}

/**
 * Writes the fallback screen for a part that failed after the status was sent. Only browsers with
 * JavaScript disabled show this markup; in all others, the error boundary around the part shows its
 * screen.
 * @param thrown error of the HTML renderer
 * @param host of the request
 * @returns HTML; empty for an error in a client component, which may succeed in the browser
 */
export function markupAfterStatus(thrown: unknown, host: string, locale: ScreenLocale): string {
  const signal = signalOf(thrown)
  if (signal?.kind === 'redirect') {
    const content = escapeHtml(`0;url=${withBasePath(signal.location)}`)
    return `<noscript><meta http-equiv="refresh" content="${content}"></noscript>`
  }
  const digest = carriedDigest(thrown)
  if (!signal && digest === undefined) return ''
  const screen: ScreenRequest = signal
    ? screenOfStatus(signal.status)
    : { kind: 'application', side: 'server', host, digest }
  const markup = screenMarkup(screenModel(screen, locale), 'div')
  const hidden = '<meta name="robots" content="noindex">'
  return `${hidden}<noscript><style>${screenStyle}</style>${markup}</noscript>`
}

/**
 * Creates a function that warns about a redirect or a fallback that came after the status was sent.
 * In development, it warns each time; in production, the first, tenth, hundredth … time on a route.
 */
export function createSignalWarnings(write: (line: string) => void) {
  const counts = new Map<string, number>()
  return function warnOfSignal(thrown: unknown, { pathname, match }: Occurrence): void {
    const route = match?.pattern || (pathname ?? '')
    const count = (counts.get(route) ?? 0) + 1
    counts.set(route, count)
    if (!import.meta.env.DEV && !Number.isInteger(Math.log10(count))) return
    const signal = signalOf(thrown)
    const call = signal?.kind === 'redirect' ? 'A redirect' : `The status ${signal?.status}`
    const line = import.meta.env.DEV && thrown instanceof Error ? `\n${callerOf(thrown)}` : ''
    write(
      `${call} on ${route} came too late: the response had already begun with status 200 (${count} times so far). ` +
        'Call it before the first await of the page, pass the promise that it waits for to gate(), ' +
        `or raise statusDeadlineMs.${line}`,
    )
  }
}

// Returns the stack frame of the code that called `notFound()` or a similar function. The frames
// above it are inside Waymark.
function callerOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').slice(1)
  const appFrame = frames.find((frame) => !frame.includes('waymark/dist'))
  return appFrame ?? frames[0] ?? ''
}
