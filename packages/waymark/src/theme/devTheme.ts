import { preferenceAttribute, type ThemeConfig } from './config.ts'

/**
 * Hides the theme's attributes on `<html>` during hydration, about which React would warn in
 * development.
 * @returns a function that shows them again
 */
export function hideThemeMarks(html: HTMLElement, config: ThemeConfig): () => void {
  const rendered = (name: string) => withoutTheme(html, name, config)
  Object.defineProperties(html, {
    getAttribute: { configurable: true, value: rendered },
    attributes: { configurable: true, value: visible(html.attributes, rendered) },
  })
  return () => {
    // Without the own properties, the prototype's properties are visible again.
    Reflect.deleteProperty(html, 'getAttribute')
    Reflect.deleteProperty(html, 'attributes')
  }
}

function withoutTheme(html: HTMLElement, name: string, config: ThemeConfig): string | null {
  const value = Element.prototype.getAttribute.call(html, name)
  if (value === null) return null
  if (name === 'style') return withoutScheme(value) || null
  const isMark = (config.attributes as readonly string[]).includes(name)
  if (name === 'class' && isMark) return withoutNames(value, config) || null
  return isMark || name === preferenceAttribute ? null : value
}

// React compares the string, so use its format.
function withoutScheme(style: string): string {
  const declarations = style.split(';').map((each) => each.trim().replace(/\s*:\s*/, ':'))
  return declarations.filter((each) => each !== '' && !each.startsWith('color-scheme:')).join(';')
}

function withoutNames(classes: string, { themes }: ThemeConfig): string {
  const isTheme = (name: string) => themes.some((theme) => theme.name === name)
  return classes
    .split(' ')
    .filter((name) => !isTheme(name))
    .join(' ')
}

// Creates a live view of the attributes, because React removes attributes until none remain.
function visible(
  attributes: NamedNodeMap,
  rendered: (name: string) => string | null,
): NamedNodeMap {
  const visible = () => [...attributes].filter(({ name }) => rendered(name) !== null)
  return new Proxy(attributes, { get: (_target, key) => Reflect.get(visible(), key) })
}

/** Overlay colours for light and dark pages. Vite's own overlay is always dark. */
const colors = {
  'window-background': ['#fff', '#181818'],
  'window-color': ['#1d1c1a', '#d8d8d8'],
  red: ['#b3261e', '#ff5555'],
  yellow: ['#7a5200', '#e2aa53'],
  purple: ['#6b35a8', '#cfa4ff'],
  cyan: ['#00647d', '#2dd9da'],
  dim: ['#55534e', '#c9c9c9'],
}

const overlay = 'vite-error-overlay'

const overlayStyle = [
  `${overlay}{`,
  ...Object.entries(colors).map(
    ([name, [light, dark]]) => `--${name}:light-dark(${light},${dark});`,
  ),
  '}',
  `${overlay}::part(backdrop){background:light-dark(#0006,#000a)}`,
  `${overlay}::part(tip){color:light-dark(#55534e,#a3a3a3)}`,
].join('')

const themed = new WeakSet<Document>()

export function themeOverlay(document: Document): void {
  if (themed.has(document)) return
  themed.add(document)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(overlayStyle)
  document.adoptedStyleSheets.push(sheet)
}
