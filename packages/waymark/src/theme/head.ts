import { escapeHtml } from '../shared/html.ts'
import type { ThemeConfig } from './config.ts'
import { themeScript } from './script.ts'
import { serializedThemeAttribute, serializeTheme } from './wire.ts'

/** What a document's head needs to know. */
export type ThemeHead = {
  readonly config: ThemeConfig
  /** The theme that the route insists on (`export const theme`); a name not configured is ignored. */
  readonly forced?: string | null
}

/**
 * The HTML that goes to the very start of `<head>`, outside React: the theme colours for
 * browsers without scripts, then the pre-paint script.
 */
export function themeHead({ config, forced = null }: ThemeHead): string {
  const wire = singleQuoted(serializeTheme({ config, forced }))
  const script = `<script ${serializedThemeAttribute}=${wire}>${themeScript(config)}</script>`
  return colorMetas(config) + script
}

// They stand before the script, which rewrites them.
function colorMetas(config: ThemeConfig): string {
  return config.themes
    .filter((theme) => theme.color !== null && theme.name === theme.scheme)
    .map(
      ({ color, scheme }) =>
        `<meta name="theme-color" content="${escapeHtml(color ?? '')}" media="(prefers-color-scheme:${scheme})">`,
    )
    .join('')
}

// JSON is full of double quotes; in single quotes they need no escaping.
function singleQuoted(json: string): string {
  const escaped = json.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;')
  return `'${escaped}'`
}
