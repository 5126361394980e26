import { compile, type MatchFunction, match, pathToRegexp } from 'path-to-regexp'
import { RequestCookies } from './messageCookies.ts'
import type { Condition, Rule } from './nextConfig.ts'

/** The parts of a request that rules depend on. */
export type RuleRequest = {
  readonly url: URL
  readonly headers: Headers
  /** Path to match, if it differs from the path in the URL. */
  readonly pathname?: string
}

/**
 * Params of a path, and named groups in conditions. All values are percent-encoded and come from
 * the client.
 */
export type RuleParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Matches a request, and returns the params of the rule, or `null`. */
export type RuleMatcher = (request: RuleRequest) => RuleParams | null

/**
 * Thrown if a value from the client isn't allowed in its place in the rule. The server responds
 * with a 400.
 */
export class ClientTextError extends Error {}

/**
 * Compiles the source and the conditions of a rule.
 * @throws Error with the pattern, if it can't be parsed
 */
export function compileRule({
  source,
  has = [],
  missing = [],
}: Omit<Rule, 'basePath'>): RuleMatcher {
  const matchPath = compileSource(source)
  const hasAll = has.map(compileCondition)
  const lacksAll = missing.map(compileCondition)
  return (request) => {
    const matched = matchPath(request.pathname ?? request.url.pathname)
    if (!matched) return null
    const captures = hasAll.map((test) => test(request))
    if (captures.includes(null) || lacksAll.some((test) => test(request) !== null)) return null
    return Object.assign({}, matched.params, ...captures)
  }
}

function compileSource(source: string): MatchFunction<Record<string, string | string[]>> {
  try {
    return match(source, { sensitive: false, decode: (text) => text, encode: encodeURI })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The source ${JSON.stringify(source)} can't be parsed: ${why}`, {
      cause: error,
    })
  }
}

type Test = (request: RuleRequest) => Readonly<Record<string, string>> | null

function compileCondition({ type, key = '', value }: Condition): Test {
  const pattern = value === undefined ? null : new RegExp(`^(?:${value})$`)
  return (request) => {
    const requestValue = readValue(type, key, request)
    // As in Next, an empty value counts as missing.
    if (!requestValue) return null
    if (pattern === null) return /^\w+$/.test(key) ? { [key]: encodeValue(requestValue) } : {}
    const result = pattern.exec(requestValue)
    if (result === null) return null
    const groups = Object.entries(result.groups ?? {})
    return Object.fromEntries(groups.map(([name, text = '']) => [name, encodeValue(text)]))
  }
}

function readValue(
  type: Condition['type'],
  key: string,
  { url, headers }: RuleRequest,
): string | null {
  switch (type) {
    case 'header':
      return headers.get(key)
    case 'query':
      return url.searchParams.getAll(key).at(-1) ?? null
    case 'host':
      return url.hostname
    case 'cookie':
      return new RequestCookies(new Headers(headers)).get(key)?.value ?? null
  }
}

// Encodes a value. A group may end inside a surrogate pair, and half a pair can't be encoded, so
// lone surrogates are replaced first.
function encodeValue(text: string): string {
  return text.toWellFormed().split('/').map(encodeURIComponent).join('/')
}

/**
 * True if Next's `^value$` matches more strings than `value` does as a match for the whole string.
 */
export function isMisread(value: string): boolean {
  let depth = 0
  for (const [part] of value.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gs)) {
    if (part === '(') depth++
    else if (part === ')') depth--
    else if (part === '|' && depth === 0) return true
  }
  return false
}

/** Splits a destination into its parts. `origin` is empty for a path in the app. */
function parseDestination(destination: string) {
  const [, origin = '', rest = ''] = /^([a-z]+:\/\/[^/?#]*)?(.*)$/is.exec(destination) ?? []
  const [withoutHash = '', hash] = rest.split('#')
  const [path = '', query = ''] = withoutHash.split('?')
  return { origin, path, query, hash }
}

/** True if a destination has a scheme, and therefore leads out of the app. */
export function leavesApp(destination: string): boolean {
  return parseDestination(destination).origin !== ''
}

/**
 * Checks the destination of a rule.
 * @throws Error with the reason, if the destination is invalid
 */
export function checkDestination(destination: string): void {
  const refuse = (why: string) =>
    new Error(`The destination ${JSON.stringify(destination)} can't be used: ${why}.`)
  const { origin, path } = parseDestination(destination)
  if (origin === '' && !/^\/(?![/\\])/.test(path)) {
    throw refuse('it must be a path that starts with one slash, or a complete http(s) URL')
  }
  if (origin === '') return
  if (!/^https?:/i.test(origin)) throw refuse('its scheme must be https: or http:')
  if (/:[a-z_]\w*[*+?]?(?::\d+)?$/i.test(origin.slice(origin.indexOf('//')))) {
    throw refuse('its host ends with a param, which would let clients choose any host')
  }
}

/**
 * Writes a destination with the params of its source. In a rewrite, params that the destination
 * doesn't use are added to its query.
 * @throws ClientTextError if the value of a param is not allowed at its place
 */
export function writeDestination(
  destination: string,
  params: RuleParams,
  { url, keepsParams }: { readonly url: URL; readonly keepsParams: boolean },
): string {
  const { origin, path, query, hash } = parseDestination(destination)
  const named = namesIn(destination)
  const search = new URLSearchParams(url.search)
  for (const [name, value] of new URLSearchParams(query)) search.set(name, fillText(value, params))
  if (keepsParams && !Object.keys(params).some((name) => named.has(name))) {
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined && Number.isNaN(Number(name))) search.set(name, textOf(value))
    }
  }
  const text = search.toString()
  const end = hash === undefined ? '' : `#${fill(hash, params, (value) => encodeURI(value))}`
  const written = `${fillHost(origin, params)}${fillPath(path, params)}${text && `?${text}`}${end}`
  // The destination is sent in a header, so encode everything that isn't printable ASCII, even in
  // the rule's own text.
  return written.replaceAll(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()))
}

function namesIn(destination: string): ReadonlySet<string> {
  return new Set([...destination.matchAll(/:(\w+)/g)].map(([, name = '']) => name))
}

function fillPath(path: string, params: RuleParams): string {
  if (!path.includes(':')) return path
  // Without a value, `/:path*` is an empty path, which means the root.
  const filled = compile(path, { validate: false, encode: pathOf })(params) || '/'
  // Browsers would read a path that starts with two slashes as a host.
  if (/^\/[/\\]/.test(filled)) throw new ClientTextError(`${filled} is not a path on this site`)
  return filled
}

/** Returns a path's segments. Refuses segments with a special meaning, such as `..`. */
function pathOf(encoded: string): string {
  const segments = encoded.split('/').filter((segment) => segment !== '')
  const special = /^\.{1,2}$|%(?:25)*(?:[01][\da-f]|7f|5c|c2%[89])|%25(?:25)*2[ef]/i
  if (segments.some((segment) => special.test(segment))) {
    throw new ClientTextError(`${encoded} is not allowed in a path`)
  }
  return segments.join('/')
}

/** Inserts the decoded params into a string that isn't part of a URL. */
export function fillText(text: string, params: RuleParams): string {
  return fill(text, params, (value) => value)
}

function fill(text: string, params: RuleParams, write: (value: string) => string): string {
  return text.replaceAll(/:(\w+)[*+?]?/g, (whole, name: string) => {
    const value = params[name]
    if (value === undefined) return Object.hasOwn(params, name) ? '' : whole
    return write(textOf(value))
  })
}

function textOf(value: string | readonly string[]): string {
  const text = [value].flat().join('/')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// Inserts params into the host. A port such as `:8080` looks like a param, so names that start with
// a digit don't count.
function fillHost(origin: string, params: RuleParams): string {
  return origin.replaceAll(/:([a-z_]\w*)[*+?]?/gi, (_, name: string) => {
    const label = textOf(params[name] ?? '')
    if (/^[a-z0-9-]+$/i.test(label)) return label
    throw new ClientTextError(`${JSON.stringify(label)} is not allowed in a host`)
  })
}

/**
 * Compiles a check that tells if a path belongs to a page of the app. @param pattern built from the
 * page's folders, such as `/blog/[slug]`
 */
export function compilePage(pattern: string): {
  readonly isStatic: boolean
  test(path: string): boolean
} {
  const source = pattern
    .split('/')
    .filter((name) => !/^\(.*\)$|^@/.test(name))
    .map((name) => {
      const [, optional, rest, param] = /^\[(\[)?(\.\.\.)?(.+?)\]?\]$/.exec(name) ?? []
      if (param === undefined) return name.replaceAll(/[\\:(){}*+?]/g, '\\$&')
      return rest ? `:p(.*)${optional ? '*' : '+'}` : ':p'
    })
    .join('/')
  const regexp = pathToRegexp(source === '' ? '/' : source)
  return { isStatic: !pattern.includes('['), test: (path) => regexp.test(path) }
}
