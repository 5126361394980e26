import { type FrameworkError, frameworkError } from './errors.ts'

// What a URL parser takes for the same as its absence (URL standard §4.4).
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const unseen = /^[\u0000-\u0020]+|[\t\n\r]+/g

// Schemes whose URLs run scripts or hold a document of their own.
const scriptScheme = /^(?:javascript|vbscript|data|blob|filesystem):/i

// Almost all links: a path of this site. Whatever a parser leaves out of the rest, it stays one.
const plainPath = /^\/(?![\\/\t\n\r])/

/**
 * Tells why a link must not lead somewhere: the target runs a script, or names another site
 * without saying so, as `//host` and `/\host` do. Whole URLs are meant as what they say.
 * @param href as an app gives it, perhaps from what a person wrote
 * @returns `null` for a target that may be linked to
 */
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

/**
 * The target of a link, or none where it must not lead there. A link is often made of what some
 * person wrote: one bad target must not take the page down, so it is told of and goes nowhere.
 */
export function checkedHref(href: string): string | undefined {
  const problem = hrefProblem(href)
  if (problem === null) return href
  console.error(problem)
  return undefined
}
