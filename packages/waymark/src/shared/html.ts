import { type FrameworkError, frameworkError } from './errors.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/** Escapes text as React does, for elements and quoted attributes of HTML and XML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

// Characters that URL parsers remove (URL standard §4.4).
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const unseen = /^[\u0000-\u0020]+|[\t\n\r]+/g

// Schemes whose URLs run scripts or hold a document of their own.
const scriptScheme = /^(?:javascript|vbscript|data|blob|filesystem):/i

// Fast path for most links: a path of this site.
const plainPath = /^\/(?![\\/\t\n\r])/

/** Why a link is unsafe: it runs a script, or names another site by `//host`. */
export function hrefProblem(href: string): FrameworkError | null {
  if (plainPath.test(href)) return null
  const seen = href.replace(unseen, '')
  const reason = scriptScheme.test(seen)
    ? 'a link of that scheme runs scripts'
    : /^[\\/]{2}/.test(seen)
      ? 'it names another site without a scheme'
      : null
  return reason === null ? null : frameworkError('LINK_TARGET', { href, reason })
}

/** The target of a link; none for an unsafe one, which is reported and must not break the page. */
export function checkedHref(href: string): string | undefined {
  const problem = hrefProblem(href)
  if (problem === null) return href
  console.error(problem)
  return undefined
}
