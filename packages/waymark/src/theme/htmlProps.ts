import type { ThemeConfig } from './config.ts'
import { type Preference, resolveTheme } from './preference.ts'

/** Props for `<html>`; `{}` when the theme is not known. */
export type ThemeHtmlProps = {
  className?: string
  [attribute: `data-${string}`]: string
}

/**
 * What `<html>` says about a theme that the server knows, from the cookie or from a route that
 * forces one. `system` says nothing: which theme that is only the browser knows. The colour scheme
 * is the pre-paint script's to set: many a Content-Security-Policy forbids `style` attributes.
 */
export function themeHtmlProps(preference: Preference, config: ThemeConfig): ThemeHtmlProps {
  if (preference === 'system') return {}
  const { name } = resolveTheme(preference, 'light', config.themes)
  const props: ThemeHtmlProps = {}
  for (const attribute of config.attributes) {
    if (attribute === 'class') props.className = name
    else props[attribute] = name
  }
  return props
}
