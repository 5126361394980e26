import { frameworkError } from '../../shared/errors.ts'

/** Paths of the site: `/admin/:path*`, `/((?!api|assets).*)`. */
export type ProxyMatcher = string | readonly (string | { readonly source: string })[]

/**
 * Compiles what `config.matcher` of proxy.ts says.
 * @param matcher `undefined` matches every path
 * @returns whether a canonical pathname matches
 * @throws `PROXY_MATCHER`
 */
export function compileMatcher(matcher: unknown): (pathname: string) => boolean {
  if (matcher === undefined) return () => true
  const sources = Array.isArray(matcher) ? matcher : [matcher]
  const patterns = sources.map((entry) => compilePattern(sourceOf(entry)))
  return (pathname) => {
    const path = decodePath(pathname)
    // What can't be read is better checked than let through.
    return path === null || patterns.some((pattern) => pattern.test(path))
  }
}

/**
 * Compiles one pattern: `:name` is a segment, or what its `(regex)` says; `*`, `+` and `?` after
 * it repeat it, or make it optional, together with the slash before it.
 * @throws `PROXY_MATCHER`
 */
export function compilePattern(source: string): RegExp {
  const refuse = (reason: string) => frameworkError('PROXY_MATCHER', { matcher: source, reason })
  if (!source.startsWith('/')) throw refuse('it does not begin with a slash')
  let pattern = ''
  for (const part of splitPattern(withoutSlash(source), refuse)) {
    const prefix = part.kind === 'literal' || !pattern.endsWith('\\/') ? '' : '\\/'
    pattern = pattern.slice(0, pattern.length - prefix.length) + write(part, prefix)
  }
  try {
    // The root is the one canonical path that ends with a slash: /:path* means it, too. Without
    // the flag a dot would not match every character, and a path could slip by.
    return new RegExp(`^${pattern}\\/?$`, 's')
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error))
  }
}

type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'group'; readonly pattern: string; readonly modifier: string }

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

function splitPattern(source: string, refuse: Refuse): Part[] {
  const parts: Part[] = []
  let at = 0
  const readName = (): void => {
    const name = /^:[\p{ID_Start}_$][\p{ID_Continue}$]*/u.exec(source.slice(at))?.[0]
    if (name === undefined) throw refuse('a : is followed by a name')
    at += name.length
  }
  const readGroup = (): string => {
    const end = endOfGroup(source, at)
    if (end === -1) throw refuse('a ( has no )')
    const group = source.slice(at + 1, end)
    at = end + 1
    if (group === '') throw refuse('a group is empty')
    if (group.startsWith('?')) throw refuse(`put the group in another one: ((${group}).*)`)
    return group
  }
  const readModifier = (): string => (/[*+?]/.test(source[at] ?? '') ? (source[at++] ?? '') : '')
  while (at < source.length) {
    const character = source[at] ?? ''
    if (character === ':' || character === '(') {
      if (character === ':') readName()
      const pattern = source[at] === '(' ? readGroup() : anySegment
      const modifier = readModifier()
      // (.*)* never ends on a path with many slashes that does not match.
      if (pattern !== anySegment && /[*+]/.test(modifier) && /[*+{]/.test(pattern)) {
        throw refuse(`a group that is repeated (${modifier}) can't repeat something inside it`)
      }
      parts.push({ kind: 'group', pattern, modifier })
    } else if (/[*+?{}]/.test(character)) {
      throw refuse(`a ${character} stands alone; *, + and ? follow a :param or a (group)`)
    } else {
      const text = /^(?:\\.|[^:(*+?{}\\])+/.exec(source.slice(at))?.[0]
      if (text === undefined) throw refuse('it ends with a backslash')
      parts.push({ kind: 'literal', text: text.replaceAll(/\\(.)/g, '$1') })
      at += text.length
    }
  }
  return parts
}

function endOfGroup(source: string, start: number): number {
  let depth = 0
  let isInClass = false
  for (let at = start; at < source.length; at++) {
    const character = source[at]
    if (character === '\\') at++
    else if (isInClass) isInClass = character !== ']'
    else if (character === '[') isInClass = true
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at
  }
  return -1
}

function write(part: Part, prefix: string): string {
  if (part.kind === 'literal') return escapeLiteral(decodePath(part.text) ?? part.text)
  const one = `${prefix}(?:${part.pattern})`
  return part.modifier === '' ? one : `(?:${one})${part.modifier}`
}

// Canonical paths end without one.
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
