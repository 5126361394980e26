import { type Preference, preferenceAttribute, type Theme, type ThemeConfig } from './config.ts'

/**
 * Writes a theme onto the page, as the pre-paint script did; it touches only what differs.
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
 * Calls back when the page has lost its theme: React removes foreign attributes from `<html>` when it
 * renders the document again, after a failed hydration for one. A mutation observer is called
 * before the next paint, so the loss is never seen.
 */
export function watchThemeRemoval(html: HTMLElement, config: ThemeConfig, lost: () => void): void {
  const attributeFilter = [...config.attributes, preferenceAttribute, 'style']
  // It responds to a loss only, never to another value: two scripts that each insist on theirs
  // would never end.
  const observer = new MutationObserver(() => {
    if (hasLostTheme(html, config)) lost()
  })
  observer.observe(html, { attributes: true, attributeFilter })
}

/**
 * Changes the page without animating it: colours would otherwise fade one by one, each
 * by its own transition.
 */
export function withoutTransitions(view: Window, change: () => void): void {
  const { document } = view
  // Old browsers just animate.
  if (!document.adoptedStyleSheets) {
    change()
    return
  }
  // A constructed sheet needs no nonce: CSP does not govern it.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*,*::before,*::after{transition:none!important}')
  document.adoptedStyleSheets.push(sheet)
  change()
  flushStyles(document)
  // React's own updates come in a microtask after the change; let them pass before it ends.
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
  // React empties <head> when it renders the document again.
  if (metas.length > 0) return
  const meta = document.createElement('meta')
  document.head.append(Object.assign(meta, { name: 'theme-color', content: color }))
}

// Reading a size makes the browser compute styles, with transitions off, before it returns.
function flushStyles(document: Document): void {
  void document.body?.offsetHeight
}
