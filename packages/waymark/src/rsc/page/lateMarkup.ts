import { carriedDigest } from '../../journal/reporter.ts'
import type { ScreenLocale } from '../../screens/locale.ts'
import { screenMarkup } from '../../screens/markup.ts'
import { type ScreenRequest, screenModel, screenOfStatus } from '../../screens/model.ts'
import { screenStyle } from '../../screens/style.ts'
import { escapeHtml } from '../../shared/html.ts'
import { signalOf } from '../../shared/signals.ts'

/**
 * Writes what a document says of a part that failed after its status was sent: where no script
 * runs, nothing else can show it. With scripts, React asks the boundary around the part.
 * @param thrown what the renderer of HTML met
 * @param host of the request
 * @returns HTML; none for a client component, which may well succeed in the browser
 */
export function lateErrorMarkup(thrown: unknown, host: string, locale: ScreenLocale): string {
  const signal = signalOf(thrown)
  if (signal?.kind === 'redirect') {
    const content = escapeHtml(`0;url=${signal.location}`)
    return `<noscript><meta http-equiv="refresh" content="${content}"></noscript>`
  }
  const digest = carriedDigest(thrown)
  if (!signal && digest === undefined) return ''
  const screen: ScreenRequest = signal
    ? screenOfStatus(signal.status)
    : { kind: 'application', side: 'server', host, digest }
  const markup = screenMarkup(screenModel(screen, { locale }), 'div')
  const hidden = '<meta name="robots" content="noindex">'
  return `${hidden}<noscript><style>${screenStyle}</style>${markup}</noscript>`
}
