import { escapeHtml } from '../../shared/html.ts'

// Query parameter that requests a complete document. It has a value because code that rewrites a
// query would add an empty one.
const asksForWhole = 'waymark-whole=1'

/** Returns the query that requests a document with all of its content. */
export function wholeSearch(search: string): string {
  return `${search === '' ? '?' : `${search}&`}${asksForWhole}`
}

/**
 * Removes the parameter that requests a complete document. @returns `null` if the query doesn't
 * have it
 */
export function searchOfWhole(search: string): string | null {
  if (!search.includes(asksForWhole)) return null
  const pairs = search.slice(1).split('&')
  const others = pairs.filter((pair) => pair !== asksForWhole)
  if (others.length === pairs.length) return null
  return others.length === 0 ? '' : `?${others.join('&')}`
}

/**
 * Hides the fields of a document that the browser is about to replace, because the user would lose
 * text typed into them.
 */
export const hiddenFieldsStyle = 'input,select,textarea{visibility:hidden}'

/**
 * Returns HTML that leads browsers without JavaScript to the complete document, because they can't
 * show parts that arrive late. Put it before any `<base>`.
 */
export function wholeDocumentLink(search: string): string {
  const url = escapeHtml(wholeSearch(search))
  return `<noscript><meta http-equiv="refresh" content="0;url=${url}"><style>${hiddenFieldsStyle}</style></noscript>`
}
