import { compile, type MatchFunction, match, pathToRegexp } from 'path-to-regexp'
import type { Condition, Rule } from './nextConfig.ts'

/** A request, as rules see it. */
export type RuleRequest = {
  readonly url: URL
  readonly headers: Headers
  /** In another form than that of the URL. */
  readonly pathname?: string
}

/** Params of a path, and the named groups of conditions. */
export type RuleParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Tells whether a rule is meant, and with which params. */
export type RuleMatcher = (request: RuleRequest) => RuleParams | null

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
    const found = hasAll.map((test) => test(request))
    if (found.includes(null) || lacksAll.some((test) => test(request) !== null)) return null
    return Object.assign({}, matched.params, ...found)
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
  const pattern = value === undefined ? null : new RegExp(`^${value}$`)
  return (request) => {
    const found = readValue(type, key, request)
    if (found === null) return null
    if (pattern === null) return /^\w+$/.test(key) ? { [key]: found } : {}
    const result = pattern.exec(found)
    return result && { ...result.groups }
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
      return url.searchParams.get(key)
    case 'host':
      return url.hostname
    case 'cookie': {
      const pairs = (headers.get('cookie') ?? '').split(/;\s*/)
      return pairs.find((pair) => pair.startsWith(`${key}=`))?.slice(key.length + 1) ?? null
    }
  }
}

/**
 * Writes a destination with the params of its source. Params that it does not name become part of
 * the query of a rewrite.
 */
export function writeDestination(
  destination: string,
  params: RuleParams,
  { url, keepsParams }: { readonly url: URL; readonly keepsParams: boolean },
): string {
  const [, origin = '', rest = ''] = /^([a-z]+:\/\/[^/]*)?(.*)$/s.exec(destination) ?? []
  const [withoutHash = '', hash] = rest.split('#')
  const [path = '', query = ''] = withoutHash.split('?')
  const named = namesIn(destination)
  const search = new URLSearchParams(url.search)
  for (const [name, value] of new URLSearchParams(query)) search.set(name, fill(value, params))
  if (keepsParams && !Object.keys(params).some((name) => named.has(name))) {
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined && Number.isNaN(Number(name)))
        search.set(name, [value].flat().join('/'))
    }
  }
  const text = search.toString()
  const end = hash === undefined ? '' : `#${fill(hash, params)}`
  return `${fillHost(origin, params)}${fillPath(path, params)}${text && `?${text}`}${end}`
}

function namesIn(destination: string): ReadonlySet<string> {
  return new Set([...destination.matchAll(/:(\w+)/g)].map(([, name = '']) => name))
}

function fillPath(path: string, params: RuleParams): string {
  if (!path.includes(':')) return path
  // The values come out of a path, and are encoded already.
  return compile(path, { validate: false, encode: (text) => text })(params)
}

function fill(text: string, params: RuleParams): string {
  return text.replaceAll(/:(\w+)[*+?]?/g, (whole, name: string) => {
    const value = params[name]
    return value === undefined
      ? Object.hasOwn(params, name)
        ? ''
        : whole
      : [value].flat().join('/')
  })
}

function fillHost(origin: string, params: RuleParams): string {
  if (!origin.includes(':', origin.indexOf('//'))) return origin
  return fill(origin, params)
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
