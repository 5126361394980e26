import { compile, type MatchFunction, match, pathToRegexp } from 'path-to-regexp'
import { RequestCookies } from './messageCookies.ts'
import type { Condition, Rule } from './nextConfig.ts'

/** A request, as rules see it. */
export type RuleRequest = {
  readonly url: URL
  readonly headers: Headers
  /** In another form than that of the URL. */
  readonly pathname?: string
}

/**
 * Params of a path, and the named groups of conditions: both percent-encoded. A client chooses
 * each of them.
 */
export type RuleParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Tells whether a rule is meant, and with which params. */
export type RuleMatcher = (request: RuleRequest) => RuleParams | null

/** What a client sent can't be written where a rule wants it: the request gets a 400. */
export class ClientTextError extends Error {}

/**
 * Compiles where a rule counts.
 * @throws Error that names the pattern that can't be parsed
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
    // As in Next: what is empty is missing.
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

// A group may end within a surrogate pair, which has no encoding.
function encodeValue(text: string): string {
  return text.toWellFormed().split('/').map(encodeURIComponent).join('/')
}

/** Tells whether `^value$`, as Next has it, takes other texts than the whole of `value`. */
export function isMisread(value: string): boolean {
  let depth = 0
  for (const [part] of value.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gs)) {
    if (part === '(') depth++
    else if (part === ')') depth--
    else if (part === '|' && depth === 0) return true
  }
  return false
}

/** A destination in its parts. `origin` is empty for a path of the app. */
function parseDestination(destination: string) {
  const [, origin = '', rest = ''] = /^([a-z]+:\/\/[^/?#]*)?(.*)$/is.exec(destination) ?? []
  const [withoutHash = '', hash] = rest.split('#')
  const [path = '', query = ''] = withoutHash.split('?')
  return { origin, path, query, hash }
}

/** Tells whether a destination leaves the app: it does if it is written with a scheme. */
export function leavesApp(destination: string): boolean {
  return parseDestination(destination).origin !== ''
}

/**
 * Checks where a rule leads.
 * @throws Error that names what is wrong with the destination
 */
export function checkDestination(destination: string): void {
  const refuse = (why: string) =>
    new Error(`The destination ${JSON.stringify(destination)} can't be used: ${why}.`)
  const { origin, path } = parseDestination(destination)
  if (origin === '' && !/^\/(?![/\\])/.test(path)) {
    throw refuse('it is neither a path that begins with one slash, nor a whole http(s) URL')
  }
  if (origin === '') return
  if (!/^https?:/i.test(origin)) throw refuse('its scheme is neither https: nor http:')
  if (/:[a-z_]\w*[*+?]?(?::\d+)?$/i.test(origin.slice(origin.indexOf('//')))) {
    throw refuse('its host ends with a param, so that each client could name any host')
  }
}

/**
 * Writes a destination with the params of its source. Params that it does not name become part of
 * the query of a rewrite.
 * @throws ClientTextError for a param that can't stand where the destination has it
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
  // A header is ASCII, also where the rule itself is not.
  return written.replaceAll(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part.toWellFormed()))
}

function namesIn(destination: string): ReadonlySet<string> {
  return new Set([...destination.matchAll(/:(\w+)/g)].map(([, name = '']) => name))
}

function fillPath(path: string, params: RuleParams): string {
  if (!path.includes(':')) return path
  // `/:path*` without a param is the root.
  const filled = compile(path, { validate: false, encode: pathOf })(params) || '/'
  // This would name a host.
  if (/^\/[/\\]/.test(filled)) throw new ClientTextError(`${filled} is no path of a site`)
  return filled
}

/** Segments of a path. Those that mean something else, as `..` does, are no data. */
function pathOf(encoded: string): string {
  const segments = encoded.split('/').filter((segment) => segment !== '')
  const special = /^\.{1,2}$|%(?:25)*(?:[01][\da-f]|7f|5c|c2%[89])|%25(?:25)*2[ef]/i
  if (segments.some((segment) => special.test(segment))) {
    throw new ClientTextError(`${encoded} is no part of a path`)
  }
  return segments.join('/')
}

/** Fills a text, which is no part of a URL, with params as they were sent. */
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

// A port is no param.
function fillHost(origin: string, params: RuleParams): string {
  return origin.replaceAll(/:([a-z_]\w*)[*+?]?/gi, (_, name: string) => {
    const label = textOf(params[name] ?? '')
    if (/^[a-z0-9-]+$/i.test(label)) return label
    throw new ClientTextError(`${JSON.stringify(label)} is no part of a host`)
  })
}

/** Tells whether a page of the app has a path. @param pattern of its folders: `/blog/[slug]` */
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
