import { escapeHtml } from '../shared/html.ts'
import {
  type Preference,
  resolveTheme,
  serializedThemeAttribute,
  serializeTheme,
  type ThemeConfig,
} from './config.ts'

/**
 * Builds the start of `<head>`: theme colours for browsers with JavaScript disabled, then the
 * pre-paint script.
 *
 * @param forced theme that the route forces with `export const theme`; unknown names are ignored
 */
export function themeHead(config: ThemeConfig, forced: string | null = null): string {
  const wire = singleQuoted(serializeTheme({ config, forced }))
  const script = `<script ${serializedThemeAttribute}=${wire}>${themeScript(config)}</script>`
  return colorMetas(config) + script
}

// Returns meta elements for the theme colours. They come before the script, which changes them.
function colorMetas(config: ThemeConfig): string {
  return config.themes
    .filter((theme) => theme.color !== null && theme.name === theme.scheme)
    .map(
      ({ color, scheme }) =>
        `<meta name="theme-color" content="${escapeHtml(color ?? '')}" media="(prefers-color-scheme:${scheme})">`,
    )
    .join('')
}

// Quotes JSON with single quotes, because its many double quotes would have to be escaped.
function singleQuoted(json: string): string {
  const escaped = json.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;')
  return `'${escaped}'`
}

// The script is a string, because compiling a function would change its hash. The same CSP hash is
// valid for all pages.
const opening = [
  // A block keeps the variables out of the global scope.
  '{let d=document,e=d.documentElement,o=JSON.parse(d.currentScript.dataset.waymarkTheme),',
  'f=n=>o.t.find(t=>t[0]==n),p,s;',
  // Reading storage throws if it is blocked, so read the media query first.
  'try{s=self.matchMedia?.("(prefers-color-scheme:dark)").matches;',
  'p=localStorage.getItem(o.k)}catch{}',
  'f(p)||(p="system");',
  // The route's theme comes first, then the user's, then the system's.
  'let[n,c=n,m]=f(o.f)||f(p)||f(s?"dark":"light");',
  'e.dataset.themePreference=p;e.style.colorScheme=c;',
  'for(let a of o.a)a=="class"?e.classList.add(n):e.setAttribute(a,n)',
]

const colors = ';for(let t of d.querySelectorAll("meta[name=theme-color]"))t.content=m'

/**
 * Returns the script that sets the theme before the first paint. It is the same on all pages, so
 * that one CSP hash allows it.
 */
export function themeScript(config: ThemeConfig): string {
  const colored = config.themes.some((theme) => theme.color !== null)
  return `${opening.join('')}${colored ? colors : ''}}`
}

/** Props for `<html>`. Empty if the theme is unknown. */
export type ThemeHtmlProps = {
  className?: string
  [attribute: `data-${string}`]: string
}

/**
 * Returns the props of `<html>` for a theme that the cookie or the route determines. Sets no
 * `style`, which a content security policy may forbid.
 */
export function themePropsOf(preference: Preference, config: ThemeConfig): ThemeHtmlProps {
  if (preference === 'system') return {}
  const { name } = resolveTheme(preference, 'light', config.themes)
  const props: ThemeHtmlProps = {}
  for (const attribute of config.attributes) {
    if (attribute === 'class') props.className = name
    else props[attribute] = name
  }
  return props
}
