import { frameworkError } from '../shared/errors.ts'
import { decodePath, encodeSegment, segmentProblem } from './canonicalUrl.ts'
import { parseSegment, type UrlSegment } from './segment.ts'

/** Decoded value of a param. Rest segments take a list. */
export type ParamValue = string | number | readonly (string | number)[]

/** Query values by name. A list repeats the name; `null` and `undefined` omit it. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>
type QueryValue = string | number | boolean | null | undefined

export type HrefParts = {
  /** A pattern or a plain path: `/blog/[slug]`, `/about`. Default: the current page. */
  readonly pathname?: string | undefined
  readonly params?: Readonly<Record<string, ParamValue | undefined>> | undefined
  readonly query?: Query | URLSearchParams | undefined
  /** Fragment, not encoded, with or without `#`. */
  readonly hash?: string | undefined
}

/**
 * Builds a URL of the app from decoded values.
 *
 * @throws `PARAM_VALUE`, `HREF_PATHNAME`
 */
export function hrefOf({ pathname, params, query, hash }: HrefParts): string {
  const path = pathname === undefined ? '' : pathnameOf(pathname, params)
  return path + searchOf(query) + hashOf(hash)
}

/**
 * Builds the path of a pattern from decoded values: `/blog/[slug]` becomes `/blog/a%20b`.
 *
 * @throws `PARAM_VALUE`, `HREF_PATHNAME`
 */
export function pathnameOf(pattern: string, params: HrefParts['params'] = {}): string {
  if (!pattern.startsWith('/')) {
    throw frameworkError('HREF_PATHNAME', {
      pathname: pattern,
      reason:
        "it doesn't begin with a slash. To link to another site, pass its whole URL as a string",
    })
  }
  const names = pattern.split('/').filter((name) => name !== '')
  const segments = names.flatMap((name) => textsOf(urlSegment(name, pattern), pattern, params))
  return `/${segments.map(encodeSegment).join('/')}`
}

function urlSegment(name: string, pattern: string): UrlSegment {
  // A pattern contains no groups, slots or interceptions, so a parenthesis is plain text.
  if (!name.startsWith('[')) return { kind: 'static', name: staticText(name, pattern) }
  const segment = parseSegment(name, pattern)
  if (!('param' in segment)) throw new Error(`${name} isn't a segment of a pattern`)
  return segment
}

function staticText(name: string, pattern: string): string {
  // Accepts `/a%20b` as well as `/a b` and `/100%`.
  const text = decodePath(name) ?? name
  const problem = segmentProblem(text)
  if (problem) throw frameworkError('HREF_PATHNAME', { pathname: pattern, reason: problem })
  return text
}

function textsOf(
  segment: UrlSegment,
  pattern: string,
  params: NonNullable<HrefParts['params']>,
): string[] {
  if (segment.kind === 'static') return [segment.name]
  const { param } = segment
  const value = Object.hasOwn(params, param) ? params[param] : undefined
  const texts = (isList(value) ? value : value === undefined ? [] : [value]).map(String)
  const reason = problemOf(segment, texts, isList(value))
  if (reason === null) return texts
  const written = isList(value) ? JSON.stringify(value) : String(value)
  throw frameworkError('PARAM_VALUE', { pattern, param, value: written, reason }, written)
}

function problemOf(segment: UrlSegment, texts: string[], isListed: boolean): string | null {
  if (segment.kind === 'dynamic' && isListed) return 'the segment takes one value, not a list'
  if (segment.kind !== 'optional-rest' && texts.length === 0) return 'the segment needs a value'
  for (const text of texts) {
    const problem = segmentProblem(text)
    if (problem) return problem
  }
  return null
}

function isList(value: ParamValue | undefined): value is readonly (string | number)[] {
  return Array.isArray(value)
}

function searchOf(query: HrefParts['query']): string {
  if (query === undefined) return ''
  const search = query instanceof URLSearchParams ? query : new URLSearchParams(pairsOf(query))
  const text = search.toString()
  return text && `?${text}`
}

function pairsOf(query: Query): string[][] {
  return Object.entries(query).flatMap(([name, value]) => {
    const values: readonly QueryValue[] = Array.isArray(value) ? value : [value as QueryValue]
    return values
      .filter((one) => one !== null && one !== undefined)
      .map((one) => [name, String(one)])
  })
}

function hashOf(hash: string | undefined): string {
  const text = hash?.replace(/^#/, '') ?? ''
  if (text === '') return ''
  // `encodeURI` throws for a lone surrogate. Like the URL standard, replace it with U+FFFD.
  const encoded = encodeURI(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
  return `#${encoded.replaceAll('#', '%23')}`
}
