import { type FrameworkError, frameworkError } from './errors.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/** Escapes text as React does, for elements and quoted attributes in HTML and XML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

// Characters that URL parsers remove (URL standard §4.4).
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore these characters
const unseen = /^[\u0000-\u0020]+|[\t\n\r]+/g

// Matches schemes whose URLs run scripts or contain a whole document.
const scriptScheme = /^(?:javascript|vbscript|data|blob|filesystem):/i

// Matches paths on this site. It saves most links the full check.
const plainPath = /^\/(?![\\/\t\n\r])/

/**
 * Returns an error if a link is unsafe: if it runs a script, or leads to a different site with
 * `//host`.
 */
export function hrefProblem(href: string): FrameworkError | null {
  if (plainPath.test(href)) return null
  const seen = href.replace(unseen, '')
  const reason = scriptScheme.test(seen)
    ? 'links with that scheme can run scripts'
    : /^[\\/]{2}/.test(seen)
      ? 'it leads to another site without a scheme'
      : null
  return reason === null ? null : frameworkError('LINK_TARGET', { href, reason })
}

/** Returns a link's target. An unsafe one is reported and dropped, so that the page still works. */
export function checkedHref(href: string): string | undefined {
  const problem = hrefProblem(href)
  if (problem === null) return href
  console.error(problem)
  return undefined
}
