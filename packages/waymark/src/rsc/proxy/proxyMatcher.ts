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

/**
 * Compiles a pattern: `:name` is a segment, or matches its `(regex)`; `*`, `+` and `?` repeat it or
 * make it optional, with the slash before it.
 * @throws `PROXY_MATCHER`
 */
export function compilePattern(source: string): RegExp {
  const refuse = (reason: string) => frameworkError('PROXY_MATCHER', { matcher: source, reason })
  if (!source.startsWith('/')) throw refuse('it does not begin with a slash')
  const pattern = translatePattern(withoutSlash(source), refuse)
  try {
    // Only the root ends with a slash, and /:path* includes it. Without the flag `s` a dot would
    // not match line breaks, and a path could slip by.
    return new RegExp(`^${pattern}\\/?$`, 's')
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error))
  }
}

type Refuse = (reason: string) => Error

const anySegment = '[^/]+'

function sourceOf(entry: unknown): string {
  if (typeof entry === 'string') return entry
  const written = JSON.stringify(entry)
  const refuse = (reason: string) => frameworkError('PROXY_MATCHER', { matcher: written, reason })
  if (typeof entry !== 'object' || entry === null) throw refuse('it is not a path')
  const { source, ...others } = entry as Record<string, unknown>
  if (typeof source !== 'string') throw refuse('it has no source')
  const [unknownName] = Object.keys(others)
  if (unknownName === undefined) return source
  throw refuse(`it holds ${unknownName}; only source counts, so check the rest in the function`)
}

function translatePattern(source: string, refuse: Refuse): string {
  let pattern = ''
  for (let rest = source; rest !== ''; ) {
    const [literal] = /^(?:\\.|[^:(*+?{}\\])+/.exec(rest) ?? []
    if (literal !== undefined) {
      const text = literal.replaceAll(/\\(.)/g, '$1')
      pattern += escapeLiteral(decodePath(text) ?? text)
      rest = rest.slice(literal.length)
      continue
    }
    const part = readPart(rest, refuse)
    const one = `(?:${part.pattern})`
    // The slash is repeated with the segment.
    const prefix = pattern.endsWith('\\/') ? '\\/' : ''
    const whole = part.modifier === '' ? prefix + one : `(?:${prefix}${one})${part.modifier}`
    pattern = pattern.slice(0, pattern.length - prefix.length) + whole
    rest = rest.slice(part.length)
  }
  return pattern
}

/** A `:name`, a `(group)` or both, with a modifier. */
function readPart(rest: string, refuse: Refuse) {
  const [name = ''] = /^:(?:[\p{ID_Start}_$][\p{ID_Continue}$]*)?/u.exec(rest) ?? []
  if (name === ':') throw refuse('a : is followed by a name')
  const groupEnd = rest[name.length] === '(' ? endOfGroup(rest, name.length) : name.length
  if (groupEnd === -1) throw refuse('a ( has no )')
  if (groupEnd === 0) {
    if (rest.startsWith('\\')) throw refuse('it ends with a backslash')
    throw refuse(`a ${rest[0]} stands alone; *, + and ? follow a :param or a (group)`)
  }
  const group = rest.slice(name.length + 1, groupEnd - 1)
  const hasGroup = groupEnd > name.length
  if (hasGroup && group === '') throw refuse('a group is empty')
  if (group.startsWith('?')) throw refuse(`put the group in another one: ((${group}).*)`)
  const pattern = hasGroup ? group : anySegment
  const [modifier = ''] = /^[*+?]/.exec(rest.slice(groupEnd)) ?? []
  // (.*)* backtracks exponentially on a path with many slashes.
  if (pattern !== anySegment && /[*+]/.test(modifier) && /[*+{]/.test(pattern)) {
    throw refuse(`a group that is repeated (${modifier}) can't repeat something inside it`)
  }
  return { pattern, modifier, length: groupEnd + modifier.length }
}

/** @returns the index after the group, or -1 */
function endOfGroup(source: string, start: number): number {
  let depth = 0
  let isInClass = false
  for (let at = start; at < source.length; at++) {
    const character = source[at]
    if (character === '\\') at++
    else if (isInClass) isInClass = character !== ']'
    else if (character === '[') isInClass = true
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return -1
}

function withoutSlash(source: string): string {
  return source.length > 1 && source.endsWith('/') ? source.slice(0, -1) : source
}

function escapeLiteral(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
