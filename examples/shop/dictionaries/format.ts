import type { Language } from '../languages.ts'

/** Puts values into a text: `fill('{count} pieces', { count: 3 })`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Says how many of a product are left. */
export function stockText(
  left: number,
  texts: Readonly<Record<'left' | 'soldOut', string>>,
): string {
  return left === 0 ? texts.soldOut : fill(texts.left, { count: left })
}

/** Writes a price in the way of a language. */
export function formatPrice(cents: number, language: Language): string {
  const style = { style: 'currency', currency: 'EUR' } as const
  return new Intl.NumberFormat(language, style).format(cents / 100)
}
