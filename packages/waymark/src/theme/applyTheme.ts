import { type Preference, preferenceAttribute, type Theme, type ThemeConfig } from './config.ts'

/**
 * Writes the theme to `<html>`. Doesn't touch attributes that the pre-paint script has already set.
 */
export function applyTheme(
  document: Document,
  config: ThemeConfig,
  { theme, preference }: { theme: Theme; preference: Preference },
): void {
  const html = document.documentElement
  for (const attribute of config.attributes) {
    if (attribute !== 'class') setAttribute(html, attribute, theme.name)
    else for (const { name } of config.themes) html.classList.toggle(name, name === theme.name)
  }
  setAttribute(html, preferenceAttribute, preference)
  if (html.style.colorScheme !== theme.scheme) html.style.colorScheme = theme.scheme
  if (theme.color !== null) paintColor(document, theme.color)
}

/**
 * Calls `lost` when React has removed the theme from `<html>`, for example after hydration has
 * failed.
 */
export function watchThemeRemoval(html: HTMLElement, config: ThemeConfig, lost: () => void): void {
  const attributeFilter = [...config.attributes, preferenceAttribute, 'style']
  // Ignore changed values. Two scripts that each restore their own value would never stop.
  const observer = new MutationObserver(() => {
    if (hasLostTheme(html, config)) lost()
  })
  observer.observe(html, { attributes: true, attributeFilter })
}

/** Applies a change without CSS transitions, so that elements don't fade one by one. */
export function withoutTransitions(view: Window, change: () => void): void {
  const { document } = view
  // Old browsers can't adopt stylesheets and show the transitions.
  if (!document.adoptedStyleSheets) {
    change()
    return
  }
  // A content security policy doesn't restrict constructed stylesheets.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*,*::before,*::after{transition:none!important}')
  document.adoptedStyleSheets.push(sheet)
  change()
  flushStyles(document)
  // React's update happens in a later microtask, so turn transitions on again after it.
  view.setTimeout(() => {
    flushStyles(document)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
  })
}

function hasLostTheme(html: HTMLElement, config: ThemeConfig): boolean {
  if (!html.hasAttribute(preferenceAttribute) || html.style.colorScheme === '') return true
  return config.attributes.some((attribute) =>
    attribute === 'class'
      ? !config.themes.some((theme) => html.classList.contains(theme.name))
      : !html.hasAttribute(attribute),
  )
}

function setAttribute(html: HTMLElement, name: string, value: string): void {
  if (html.getAttribute(name) !== value) html.setAttribute(name, value)
}

function paintColor(document: Document, color: string): void {
  const metas = document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')
  for (const meta of metas) if (meta.content !== color) meta.content = color
  // React may have removed the element while rendering the document, so add it again.
  if (metas.length > 0) return
  const meta = document.createElement('meta')
  document.head.append(Object.assign(meta, { name: 'theme-color', content: color }))
}

// Reads a size, so that the browser computes styles while transitions are off.
function flushStyles(document: Document): void {
  void document.body?.offsetHeight
}
