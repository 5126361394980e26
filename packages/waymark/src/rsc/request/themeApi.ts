import { frameworkError } from '../../shared/errors.ts'
import { themeHtmlProps as propsOf, type ThemeHtmlProps } from '../../theme/htmlProps.ts'
import { type Preference, parsePreference } from '../../theme/preference.ts'
import { dynamicValue } from './dynamicValue.ts'
import { currentScope, type RequestScope } from './scope.ts'

/**
 * The person's preference, as the cookie mirror has it; `system` for one who never chose. Makes
 * the page dynamic, for it reads a cookie; components in the browser have `useTheme`.
 * @throws `THEME_COOKIE` without `theme: { cookie: true }` in the configuration, `OUTSIDE_REQUEST`
 */
export function themePreference(): Promise<Preference> {
  const api = 'themePreference()'
  const scope = currentScope(api)
  return dynamicValue(scope, reasonOf(api), () => preferenceOf(scope, api))
}

/**
 * Attributes for the root layout's `<html>`, for a theme that was chosen: pages are then in it
 * without any script. They are empty for `system`. Makes the page dynamic, for it reads a cookie.
 * @throws as `themePreference` does
 */
export function themeHtmlProps(): Promise<ThemeHtmlProps> {
  const api = 'themeHtmlProps()'
  const scope = currentScope(api)
  return dynamicValue(scope, reasonOf(api), () => propsOf(preferenceOf(scope, api), scope.theme))
}

function preferenceOf({ theme, cookieStore }: RequestScope, api: string): Preference {
  if (!theme.cookie) throw frameworkError('THEME_COOKIE', { api })
  return parsePreference(cookieStore().cookies.get(theme.storageKey)?.value, theme.themes)
}

// In the words of the build: `dynamic: cookies() in themePreference()`.
function reasonOf(api: string): string {
  return `cookies() in ${api}`
}
