import { preferenceAttribute, type ThemeConfig } from './config.ts'
import { themeStoreOf } from './store.ts'

/**
 * Hides the theme's attributes of `<html>` during hydration: React's development build warns about
 * attributes that no component rendered.
 * @returns a function that shows them again
 */
export function hideThemeMarks(view: Window): () => void {
  const { config } = themeStoreOf(view)
  const html = view.document.documentElement
  const rendered = (name: string) => withoutTheme(html, name, config)
  Object.defineProperties(html, {
    getAttribute: { configurable: true, value: rendered },
    attributes: { configurable: true, value: visible(html.attributes, rendered) },
  })
  return () => {
    // Deletes the own property, which hides the prototype's.
    Reflect.deleteProperty(html, 'getAttribute')
    Reflect.deleteProperty(html, 'attributes')
  }
}

/** The attribute without the theme; `null` when nothing remains. */
function withoutTheme(html: HTMLElement, name: string, config: ThemeConfig): string | null {
  const value = Element.prototype.getAttribute.call(html, name)
  if (value === null) return null
  if (name === 'style') return withoutScheme(value) || null
  const isMark = (config.attributes as readonly string[]).includes(name)
  if (name === 'class' && isMark) return withoutNames(value, config) || null
  return isMark || name === preferenceAttribute ? null : value
}

// In React's format, because React compares texts.
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

// Live like the original: React removes attributes until none is left.
function visible(
  attributes: NamedNodeMap,
  rendered: (name: string) => string | null,
): NamedNodeMap {
  const shown = () => [...attributes].filter(({ name }) => rendered(name) !== null)
  return new Proxy(attributes, { get: (_target, key) => Reflect.get(shown(), key) })
}
