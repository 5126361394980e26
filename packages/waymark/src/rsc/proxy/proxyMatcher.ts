import { parse, type Token, tokensToRegexp } from 'path-to-regexp'
import { frameworkError } from '../../shared/errors.ts'

/** Paths of the site: `/admin/:path*`, `/((?!api|assets).*)`. */
export type ProxyMatcher = string | readonly (string | { readonly source: string })[]

/** A test for canonical pathnames; `undefined` matches all. @throws `PROXY_MATCHER` */
export function compileMatcher(matcher: unknown): (pathname: string) => boolean {
  if (matcher === undefined) return () => true
  const sources = Array.isArray(matcher) ? matcher : [matcher]
  const patterns = sources.map((entry) => compilePattern(sourceOf(entry)))
  return (pathname) => {
    const path = decodePath(pathname)
    // An unreadable path is checked rather than let through.
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
    `it holds ${unknownName}; only source counts, so check the rest in the function`,
  )
}

// A segment ends at a slash only, because the paths are decoded: `?` may be a part of one.
const options = { delimiter: '/', prefixes: '/', sensitive: true }

function compilePattern(source: string): RegExp {
  if (!source.startsWith('/')) throw refusal(source, 'it does not begin with a slash')
  const path = source.length > 1 && source.endsWith('/') ? source.slice(0, -1) : source
  try {
    const tokens = parse(path, options).map(decodeText)
    const repeated = tokens.find((token) => typeof token === 'object' && isCostly(token))
    if (repeated) throw new Error("a group that is repeated can't repeat something inside it")
    // Without the flag `s` a dot would not match line breaks, and a path could slip by.
    return new RegExp(tokensToRegexp(tokens, undefined, options).source, 's')
  } catch (error) {
    throw refusal(source, error instanceof Error ? error.message : String(error))
  }
}

function decodeText(token: Token): Token {
  return typeof token === 'string' ? (decodePath(token) ?? token) : token
}

// (.*)* backtracks exponentially on a path with many slashes; a plain :name* does not.
function isCostly({ pattern, modifier }: Exclude<Token, string>): boolean {
  const others = pattern.replace('[^\\/]+?', '')
  return /[*+]/.test(modifier) && /[*+{]/.test(others)
}

function refusal(matcher: string, reason: string) {
  return frameworkError('PROXY_MATCHER', { matcher, reason })
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
