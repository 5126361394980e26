import { escapeHtml } from '../../shared/html.ts'

// With a value, because code that rewrites a query would add an empty one.
const asksForWhole = 'waymark-whole=1'

/** The query of a document that waits for all of its content. */
export function wholeSearch(search: string): string {
  return `${search === '' ? '?' : `${search}&`}${asksForWhole}`
}

/** Reads such a query, even with additions. @returns `null` without the marker */
export function searchOfWhole(search: string): string | null {
  if (!search.includes(asksForWhole)) return null
  const pairs = search.slice(1).split('&')
  const others = pairs.filter((pair) => pair !== asksForWhole)
  if (others.length === pairs.length) return null
  return others.length === 0 ? '' : `?${others.join('&')}`
}

/** Hides the fields of a document that the browser is about to replace: typed text would be lost. */
export const hiddenFieldsStyle = 'input,select,textarea{visibility:hidden}'

/** For browsers without scripts, which show no late parts. Goes before any `<base>`. */
export function wholeDocumentLink(search: string): string {
  const url = escapeHtml(wholeSearch(search))
  return `<noscript><meta http-equiv="refresh" content="0;url=${url}"><style>${hiddenFieldsStyle}</style></noscript>`
}
