import { escapeHtml } from '../shared/html.ts'
import {
  type Preference,
  resolveTheme,
  serializedThemeAttribute,
  serializeTheme,
  type ThemeConfig,
} from './config.ts'

/** What a document's head needs to know. */
export type ThemeHead = {
  readonly config: ThemeConfig
  /** The theme that the route forces (`export const theme`); a name not configured is ignored. */
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

/*
 * The pre-paint script is text, not a function turned into text: what a compiler does to a
 * function's source would change its hash, and 500 bytes are the limit. script.test.ts holds it
 * against the pure functions, over their full table.
 *
 * All that varies by route stands in an attribute of its element, so that one hash in a
 * Content-Security-Policy serves all pages of an app.
 */
const opening = [
  // A block keeps `let` out of the page's globals.
  '{let d=document,e=d.documentElement,o=JSON.parse(d.currentScript.dataset.waymarkTheme),',
  'f=n=>o.t.find(t=>t[0]==n),p,s;',
  // The system comes first: blocked storage throws, and must not hide it.
  'try{s=self.matchMedia?.("(prefers-color-scheme:dark)").matches;',
  'p=localStorage.getItem(o.k)}catch{}',
  'f(p)||(p="system");',
  // A theme that the route forces, the user's choice, the system's.
  'let[n,c=n,m]=f(o.f)||f(p)||f(s?"dark":"light");',
  'e.dataset.themePreference=p;e.style.colorScheme=c;',
  'for(let a of o.a)a=="class"?e.classList.add(n):e.setAttribute(a,n)',
]

const colors = ';for(let t of d.querySelectorAll("meta[name=theme-color]"))t.content=m'

/**
 * The text of the script that sets the theme before the first paint. It is the same on every
 * page of an app, so its hash can stand in a Content-Security-Policy.
 */
export function themeScript(config: ThemeConfig): string {
  const colored = config.themes.some((theme) => theme.color !== null)
  return `${opening.join('')}${colored ? colors : ''}}`
}

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
