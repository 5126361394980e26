import { parse, type Token, tokensToRegexp } from 'path-to-regexp'
import { decodePath } from '../../routing/canonicalUrl.ts'
import { frameworkError } from '../../shared/errors.ts'

/** Paths of the site, such as `/admin/:path*` or `/((?!api|assets).*)`. */
export type ProxyMatcher = string | readonly (string | { readonly source: string })[]

/**
 * Creates a function that tests if a canonical pathname matches. Without a matcher (`undefined`),
 * all pathnames match.
 * @throws `PROXY_MATCHER`
 */
export function compileMatcher(matcher: unknown): (pathname: string) => boolean {
  if (matcher === undefined) return () => true
  const sources = Array.isArray(matcher) ? matcher : [matcher]
  const patterns = sources.map((entry) => compilePattern(sourceOf(entry)))
  return (pathname) => {
    const path = decodePath(pathname)
    // Run proxy.ts for a path that can't be decoded.
    return path === null || patterns.some((pattern) => pattern.test(path))
  }
}

function sourceOf(entry: unknown): string {
  if (typeof entry === 'string') return entry
  const written = JSON.stringify(entry)
  if (typeof entry !== 'object' || entry === null) throw refusal(written, 'it is not a path')
  const { source, ...others } = entry as Record<string, unknown>
  if (typeof source !== 'string') throw refusal(written, 'it has no source')
  const [unknownName] = Object.keys(others)
  if (unknownName === undefined) return source
  throw refusal(
    written,
    `it has ${unknownName}, but only source is supported; check the rest in the function`,
  )
}

// The paths are decoded and may contain a `?`, so only the slash is a delimiter.
const options = { delimiter: '/', prefixes: '/', sensitive: true }

function compilePattern(source: string): RegExp {
  if (!source.startsWith('/')) throw refusal(source, 'it does not begin with a slash')
  const path = source.length > 1 && source.endsWith('/') ? source.slice(0, -1) : source
  try {
    const tokens = parse(path, options).map(decodeText)
    if (tokens.some(isCostly)) throw new Error(costlyGroup)
    // With the flag `s`, a dot also matches line breaks. Otherwise a path with a line break would
    // bypass proxy.ts.
    return new RegExp(tokensToRegexp(tokens, undefined, options).source, 's')
  } catch (error) {
    throw refusal(source, error instanceof Error ? error.message : String(error))
  }
}

/** Decodes the literal parts of a pattern, because the paths to compare are decoded, too. */
function decodeText(token: Token): Token {
  const decoded = (text: string) => decodePath(text) ?? text
  if (typeof token === 'string') return decoded(token)
  return { ...token, prefix: decoded(token.prefix), suffix: decoded(token.suffix) }
}

const costlyGroup = "a repeated group can't contain a repeated part"

// True for a pattern such as (.*)*, which backtracks exponentially on a path with many slashes. A plain :name* doesn't.
function isCostly(token: Token): boolean {
  if (typeof token === 'string' || !/[*+]/.test(token.modifier)) return false
  return /[*+{]/.test(token.pattern.replace('[^\\/]+?', ''))
}

function refusal(matcher: string, reason: string) {
  return frameworkError('PROXY_MATCHER', { matcher, reason })
}
