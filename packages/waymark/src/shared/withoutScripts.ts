import { escapeHtml } from './html.ts'

// With a value: what writes a query again would give it one.
const asksForWhole = 'waymark-whole=1'

/** Writes the query of the document that waits for all of its page. @param search of the page's URL */
export function wholeSearch(search: string): string {
  return `${search === '' ? '?' : `${search}&`}${asksForWhole}`
}

/**
 * Reads a query that `wholeSearch` wrote, wherever something else was added to it.
 * @returns that of the page's URL; `null` when none of it asks for the whole document
 */
export function searchOfWhole(search: string): string | null {
  if (!search.includes(asksForWhole)) return null
  const pairs = search.slice(1).split('&')
  const others = pairs.filter((pair) => pair !== asksForWhole)
  if (others.length === pairs.length) return null
  return others.length === 0 ? '' : `?${others.join('&')}`
}

/**
 * Writes what refers browsers without scripts to the document that waits: without scripts, parts
 * that come later are never shown. For the start of the head, where no `base` has been read yet.
 */
export function wholeDocumentLink(search: string): string {
  const url = escapeHtml(wholeSearch(search))
  return `<noscript><meta http-equiv="refresh" content="0;url=${url}"></noscript>`
}
