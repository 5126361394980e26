import type { Language } from '../languages.ts'

/** Fills in the values of a text: `fill('{count} pieces', { count: 3 })`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Returns the text for the stock of a product. */
export function stockText(
  left: number,
  texts: Readonly<Record<'left' | 'soldOut', string>>,
): string {
  return left === 0 ? texts.soldOut : fill(texts.left, { count: left })
}

export function formatPrice(cents: number, language: Language): string {
  const style = { style: 'currency', currency: 'EUR' } as const
  return new Intl.NumberFormat(language, style).format(cents / 100)
}
