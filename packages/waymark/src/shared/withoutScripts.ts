import { escapeHtml } from './html.ts'

// With a value, because code that rewrites a query would add an empty one.
const asksForWhole = 'waymark-whole=1'

/**
 * The query of a document that waits for all of its content.
 * @param search query of the page's URL
 */
export function wholeSearch(search: string): string {
  return `${search === '' ? '?' : `${search}&`}${asksForWhole}`
}

/**
 * Reads such a query, even with additions.
 * @returns the page's own query; `null` without the marker
 */
export function searchOfWhole(search: string): string | null {
  if (!search.includes(asksForWhole)) return null
  const pairs = search.slice(1).split('&')
  const others = pairs.filter((pair) => pair !== asksForWhole)
  if (others.length === pairs.length) return null
  return others.length === 0 ? '' : `?${others.join('&')}`
}

/**
 * Without scripts, late parts of a document never show. This tag for the start of the head, before
 * any `<base>`, sends such browsers to the document that waits.
 */
export function wholeDocumentLink(search: string): string {
  const url = escapeHtml(wholeSearch(search))
  return `<noscript><meta http-equiv="refresh" content="0;url=${url}"></noscript>`
}
