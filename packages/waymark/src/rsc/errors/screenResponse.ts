import type { Occurrence, ReportError } from '../../journal/reportError.ts'
import { screenJson } from '../../screens/json.ts'
import { type ScreenRequest, screenOfStatus } from '../../screens/model.ts'
import { screenDocument } from '../../screens/screenDocument.ts'
import { prefersJson, problemType } from '../../shared/accept.ts'
import { privateNoStore } from '../../shared/cacheControl.ts'
import { digestHeader } from '../../shared/protocol.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../shared/response.ts'
import { signalOf } from '../../shared/signals.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { redirectResponse } from '../page/pageResponse.ts'
import type { AppTheme } from '../page/pageTheme.ts'
import { hostOf } from '../request/readRequest.ts'
import type { AppScreens } from './appScreens.ts'

/** What a screen that no page of the app stands behind is answered to. */
export type ScreenResponseOptions = {
  readonly request: ServerRequest
  readonly theme: ThemeConfig
  readonly screens: AppScreens
  /** Added to the answer's. */
  readonly headers?: HeaderLines
}

/** Answers with a built-in screen: a status that no page of the app stands behind. */
export function statusResponse(status: number, options: ScreenResponseOptions): HandlerResponse {
  return screenAnswer(status, screenOfStatus(status), options)
}

/** Answers what was thrown outside of any page: a guard's signal, or a failure. */
export function thrownResponse(
  thrown: unknown,
  at: Occurrence & {
    readonly kind: 'document' | 'data'
    readonly request: ServerRequest
    readonly theme: ThemeConfig
    readonly screens: AppScreens
    readonly report: ReportError
    readonly buildId: string
  },
): HandlerResponse {
  const signal = signalOf(thrown)
  if (signal?.kind === 'redirect') return redirectResponse(signal, at.kind, at.buildId)
  if (signal) return statusResponse(signal.status, at)
  const digest = at.report(thrown, { ...at, answerStatus: 500 })
  const host = hostOf(at.request.origin)
  const screen: ScreenRequest = { kind: 'application', side: 'server', host, digest }
  return screenAnswer(500, screen, { ...at, headers: [[digestHeader, digest]] })
}

function screenAnswer(
  status: number,
  screen: ScreenRequest,
  { request, theme, screens, headers = [] }: ScreenResponseOptions,
): HandlerResponse {
  const [pathname = '/'] = request.target.split('?', 1)
  const locale = screens.localeOf({ request, pathname, isPrerender: false })
  const common: HeaderLines = [...privateNoStore, ['vary', 'accept'], ...headers]
  if (prefersJson(request.headers.get('accept'))) {
    const digest = screen.kind === 'application' ? screen.digest : undefined
    const body = screenJson({ status, digest, locale })
    return { status, headers: [['content-type', problemType], ...common], body }
  }
  const body = screenDocument({ screen, theme, locale })
  return { status, headers: [['content-type', 'text/html; charset=utf-8'], ...common], body }
}

/**
 * Builds the body of a response that does not come from the handler: when too many requests run, or
 * when the handler itself has failed.
 */
export function createRefusalScreen({
  theme,
  screens,
}: {
  readonly theme: AppTheme
  readonly screens: AppScreens
}) {
  return (
    status: number,
    headers: { get(name: string): string | null },
  ): { readonly type: string; readonly text: string } => {
    const locale = screens.localeOf({ request: { headers }, pathname: '/', isPrerender: false })
    if (prefersJson(headers.get('accept'))) {
      return { type: problemType, text: screenJson({ status, locale }) }
    }
    const text = screenDocument({ screen: screenOfStatus(status), theme: theme.config, locale })
    return { type: 'text/html; charset=utf-8', text }
  }
}
