import { escapeHtml } from '../shared/html.ts'
import {
  type Preference,
  resolveTheme,
  serializedThemeAttribute,
  serializeTheme,
  type ThemeConfig,
} from './config.ts'

/**
 * The start of `<head>`: theme colours for browsers without scripts, then the pre-paint script.
 * @param forced theme that the route forces (`export const theme`); unknown names are ignored
 */
export function themeHead(config: ThemeConfig, forced: string | null = null): string {
  const wire = singleQuoted(serializeTheme({ config, forced }))
  const script = `<script ${serializedThemeAttribute}=${wire}>${themeScript(config)}</script>`
  return colorMetas(config) + script
}

// Before the script, which changes them.
function colorMetas(config: ThemeConfig): string {
  return config.themes
    .filter((theme) => theme.color !== null && theme.name === theme.scheme)
    .map(
      ({ color, scheme }) =>
        `<meta name="theme-color" content="${escapeHtml(color ?? '')}" media="(prefers-color-scheme:${scheme})">`,
    )
    .join('')
}

// JSON contains double quotes, so that single quotes need few escapes.
function singleQuoted(json: string): string {
  const escaped = json.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;')
  return `'${escaped}'`
}

// A text, since compiling a function would change its hash. One CSP hash serves all pages.
const opening = [
  // A block keeps `let` out of the globals.
  '{let d=document,e=d.documentElement,o=JSON.parse(d.currentScript.dataset.waymarkTheme),',
  'f=n=>o.t.find(t=>t[0]==n),p,s;',
  // Before storage, which throws when it is blocked.
  'try{s=self.matchMedia?.("(prefers-color-scheme:dark)").matches;',
  'p=localStorage.getItem(o.k)}catch{}',
  'f(p)||(p="system");',
  // Order: the route's theme, the user's, the system's.
  'let[n,c=n,m]=f(o.f)||f(p)||f(s?"dark":"light");',
  'e.dataset.themePreference=p;e.style.colorScheme=c;',
  'for(let a of o.a)a=="class"?e.classList.add(n):e.setAttribute(a,n)',
]

const colors = ';for(let t of d.querySelectorAll("meta[name=theme-color]"))t.content=m'

/** Sets the theme before the first paint. Equal on all pages, for its CSP hash. */
export function themeScript(config: ThemeConfig): string {
  const colored = config.themes.some((theme) => theme.color !== null)
  return `${opening.join('')}${colored ? colors : ''}}`
}

/** Props for `<html>`; `{}` when the theme is unknown. */
export type ThemeHtmlProps = {
  className?: string
  [attribute: `data-${string}`]: string
}

/**
 * Attributes for a theme known from the cookie or the route. A CSP may forbid `style` attributes.
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
