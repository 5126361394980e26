import { screenDocument } from '../../screens/document.ts'
import { screenJson } from '../../screens/json.ts'
import { screenOfStatus } from '../../screens/model.ts'
import { prefersJson, problemType } from '../../shared/prefersJson.ts'
import type { AppTheme } from '../page/appTheme.ts'
import type { AppScreens } from './appScreens.ts'

/**
 * Makes the body of an answer that does not come from the handler: when too many requests run, or
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
