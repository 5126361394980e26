import type { Occurrence, ReportError } from '../../journal/reportError.ts'
import { type ScreenRequest, screenOfStatus } from '../../screens/model.ts'
import { screenDocument, screenJson } from '../../screens/screenDocument.ts'
import type { ScreenLocale } from '../../screens/screenTexts.ts'
import { prefersJson, problemType } from '../../shared/accept.ts'
import { withoutBasePath } from '../../shared/basePath.ts'
import { privateNoStore } from '../../shared/cacheControl.ts'
import { digestHeader } from '../../shared/protocol.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../shared/response.ts'
import { signalOf } from '../../shared/signals.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { redirectResponse } from '../page/pageResponse.ts'
import type { AppTheme } from '../page/pageTheme.ts'
import { hostOf } from '../request/readRequest.ts'
import { statusOfFailure } from '../request/sentByClient.ts'
import type { AppScreens } from './appScreens.ts'

export type ScreenResponseOptions = {
  readonly request: ServerRequest
  readonly theme: ThemeConfig
  readonly screens: AppScreens
  readonly headers?: HeaderLines
}

export function statusResponse(status: number, options: ScreenResponseOptions): HandlerResponse {
  return screenResponse(status, screenOfStatus(status), options)
}

/** For a guard's signal or an error outside any page. */
export function thrownResponse(
  thrown: unknown,
  at: Occurrence &
    ScreenResponseOptions &
    Parameters<typeof statusOfFailure>[1] & {
      readonly kind: 'document' | 'data'
      readonly report: ReportError
      readonly buildId: string
    },
): HandlerResponse {
  const signal = signalOf(thrown)
  if (signal?.kind === 'redirect') return redirectResponse(signal, at.kind, at.buildId)
  if (signal) return statusResponse(signal.status, at)
  const digest = at.report(thrown, { ...at, responseStatus: 500 })
  if (statusOfFailure(thrown, at) === 400) return statusResponse(400, at)
  const host = hostOf(at.request.origin)
  const screen: ScreenRequest = { kind: 'application', side: 'server', host, digest }
  return screenResponse(500, screen, { ...at, headers: [[digestHeader, digest]] })
}

function screenResponse(
  status: number,
  screen: ScreenRequest,
  { request, theme, screens, headers = [] }: ScreenResponseOptions,
): HandlerResponse {
  const [path = '/'] = request.target.split('?', 1)
  const pathname = withoutBasePath(path) ?? '/'
  const locale = screens.localeOf({ request, pathname, isPrerender: false })
  const { type, text } = screenBody(status, screen, { headers: request.headers, locale, theme })
  const common: HeaderLines = [...privateNoStore, ['vary', 'accept'], ...headers]
  return { status, headers: [['content-type', type], ...common], body: text }
}

function screenBody(
  status: number,
  screen: ScreenRequest,
  { headers, locale, theme }: { headers: Headers; locale: ScreenLocale; theme: ThemeConfig },
): { readonly type: string; readonly text: string } {
  if (prefersJson(headers.get('accept'))) {
    const digest = screen.kind === 'application' ? screen.digest : undefined
    return { type: problemType, text: screenJson({ status, digest, locale }) }
  }
  return { type: 'text/html; charset=utf-8', text: screenDocument({ screen, theme, locale }) }
}

type Headers = { get(name: string): string | null }

/** Body of a response without the handler: too many requests, or a failed handler. */
export function createRefusalScreen(app: {
  readonly theme: AppTheme
  readonly screens: AppScreens
}) {
  return (status: number, headers: Headers) => {
    const locale = app.screens.localeOf({ request: { headers }, pathname: '/', isPrerender: false })
    const options = { headers, locale, theme: app.theme.config }
    return screenBody(status, screenOfStatus(status), options)
  }
}
