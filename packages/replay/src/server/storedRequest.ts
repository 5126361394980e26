import { createHash } from 'node:crypto'
import type { CreateServerPart } from 'waymark/plugin'
import {
  isSecretName,
  looksLikeToken,
  looksSecret,
  placeIn,
  removedMark,
  withoutSecrets,
} from './secrets.ts'

/** A request as stored in a journal entry. */
export type StoredRequest = {
  readonly method: string
  /** Path and query, with `removed` in place of possible secrets. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Names of the cookies. Values are never stored. */
  readonly cookies: readonly string[]
  /** True if the request had a body. Bodies are never stored. */
  readonly hasBody: boolean
  readonly action: StoredAction | null
  /** Places of removed values, such as `query token`. */
  readonly removed: readonly string[]
}

/** The action that a stored request calls. */
export type StoredAction = {
  /** Id of the action in the build: the hash of its file, and the name of its export. */
  readonly id: string
  /** `null` if the app does not list the action. */
  readonly arguments: readonly StoredArgument[] | null
}

/** An argument of an action: plain data, or the fields of a form. */
export type StoredArgument =
  | { readonly json: unknown }
  | { readonly form: readonly (readonly [name: string, value: string])[] }

/** The parts of the core's error occurrence that this package reads. */
type Occurrence = {
  readonly request?:
    | {
        readonly method: string
        readonly target: string
        readonly headers: {
          get(name: string): string | null
        }
      }
    | undefined
  readonly match?: { readonly pattern: string; readonly params?: object } | undefined
  readonly scope?:
    | {
        readonly action?: { readonly id: string; readonly args: readonly unknown[] } | null
      }
    | undefined
}

/** Lists of values that entries may contain. All other values are removed. */
export type ReplayLists = {
  /** Actions such as `app/actions.ts#addToCart`, relative to the app's root. */
  readonly arguments: readonly string[]
  /** Names of query parameters. */
  readonly query: readonly string[]
  /** Names of route params. */
  readonly params: readonly string[]
}

// Headers to store, because they decide between a document and page data. Other headers aren't stored,
// although a page can read them.
const storedHeaders = [
  'accept',
  'accept-language',
  'waymark-mounted',
  'waymark-from',
  'waymark-beside',
  'waymark-prefetch',
  'waymark-final-status',
]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const limits = { target: 2048, header: 512, cookies: 50, cookie: 64, arguments: 8192, removed: 50 }
const actionPattern = /^[\w./@$-]{1,200}#[\w$]{1,200}$/
// Pattern of a cookie name, a token according to RFC 6265 §4.1.1.
const cookiePattern = /^[\w!#$%&'*+.^`|~-]{1,64}$/

/** Server part of `replay()`. */
export const describeRequests: CreateServerPart<ReplayLists> = ({ actions }, lists) => ({
  describeRequest: createDescribeRequest(lists, actions),
})

/**
 * Creates the function that describes an error's request for the journal entry.
 * @param lists values that entries may contain
 * @param actions the actions of the build, by id
 * @param warn called if the list contains actions that the build doesn't have
 */
export function createDescribeRequest(
  lists: ReplayLists,
  actions: object,
  warn: (line: string) => void = console.warn,
) {
  const { arguments: names, query, params } = lists
  const listed = { query: new Set(query), params: new Set(params) }
  const ids = new Set(names.map(actionName.encode))
  const unknown = names.filter((name) => !Object.hasOwn(actions, actionName.encode(name)))
  if (unknown.length > 0) warn(describeUnknown(unknown))
  return ({ request, match, scope }: Occurrence): StoredRequest | undefined => {
    if (!request || request.target.length > limits.target) return undefined
    if (!methods.includes(request.method)) return undefined
    const { method, headers } = request
    const removed: string[] = []
    const called = scope?.action?.id ?? headers.get('waymark-action') ?? ''
    const args = scope?.action && ids.has(called) ? scope.action.args : null
    return {
      method,
      target: targetWithoutSecrets(request.target, { listed, match, removed }),
      headers: filterHeaders(headers, removed),
      cookies: cookieNames(headers.get('cookie') ?? ''),
      hasBody: headers.get('content-length') !== null || headers.get('transfer-encoding') !== null,
      action: actionPattern.test(called)
        ? { id: called, arguments: args && filterArguments(args, removed) }
        : null,
      removed: removed.slice(0, limits.removed),
    }
  }
}

function describeUnknown(names: readonly string[]): string {
  const list = names.join(', ')
  return `replay({ arguments }) lists actions that no page of the build uses: ${list}. Write the file relative to the app's root, and the export, such as app/actions.ts#add.`
}

/** Converts action names to the ids that a build gives to a file's exports. */
export const actionName = {
  /** Returns plugin-rsc's id of a file, which it computes from the path relative to the app's root. */
  hash: (file: string) => createHash('sha256').update(file).digest('hex').slice(0, 12),
  encode(name: string): string {
    const at = name.lastIndexOf('#')
    return `${actionName.hash(name.slice(0, at))}${name.slice(at)}`
  },
}

type TargetFilter = {
  readonly listed: { readonly query: ReadonlySet<string>; readonly params: ReadonlySet<string> }
  readonly match: Occurrence['match']
  readonly removed: string[]
}

/**
 * Removes path segments and query values that may be secret. Keeps segments that come from the route's
 * folders, that the app lists, or that look like words.
 */
function targetWithoutSecrets(target: string, { listed, match, removed }: TargetFilter): string {
  const at = target.indexOf('?')
  const pathname = at < 0 ? target : target.slice(0, at)
  const inPattern = new Set(match?.pattern.split('/'))
  const params = Object.entries(match?.params ?? {}).filter(([name]) => listed.params.has(name))
  const values = new Set<unknown>(params.flatMap(([, value]) => value ?? []))
  const segments = pathname.split('/').map((segment, index) => {
    const text = decodeSegment(segment)
    const isListed = text !== null && (inPattern.has(text) || values.has(text))
    if (!looksSecret(segment) && (isListed || !looksLikeToken(segment))) return segment
    removed.push(`segment ${index} of the path`)
    return removedMark
  })
  const pairs = at < 0 ? [] : target.slice(at + 1).split('&')
  const query = pairs.map((pair) => pairWithoutSecrets(pair, listed.query, removed)).join('&')
  return segments.join('/') + (at < 0 ? '' : `?${query}`)
}

// Decodes a segment without `.rsc`, the end of the last segment in a URL for page data.
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment).replace(/\.rsc$/, '')
  } catch {
    return null
  }
}

function pairWithoutSecrets(pair: string, listed: ReadonlySet<string>, removed: string[]): string {
  const at = pair.indexOf('=')
  const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
  // Check names as well, because a query may consist of a single value without a name.
  if (looksSecret(name) || (looksLikeToken(name) && !listed.has(name))) {
    removed.push('a name of the query')
    return removedMark
  }
  const isSecret = isSecretName(name) || looksSecret(value.replaceAll('+', ' '))
  const isPlain = value === '' || (listed.has(name) && !isSecret)
  if (isPlain) return pair
  removed.push(`query ${name.slice(0, 50)}`)
  return `${name}=${removedMark}`
}

function filterHeaders(
  headers: { get(name: string): string | null },
  removed: string[],
): Record<string, string> {
  const headerEntries = storedHeaders.flatMap((name): [string, string][] => {
    const value = headers.get(name)
    if (value === null) return []
    const isSecret = name.startsWith('waymark-')
      ? value.split(/[,/]/).some((part) => looksSecret(part) || looksLikeToken(part))
      : looksSecret(value)
    if (!isSecret && value.length <= limits.header && isHeaderValue(value)) return [[name, value]]
    removed.push(`header ${name}`)
    return []
  })
  return Object.fromEntries(headerEntries)
}

function cookieNames(header: string): string[] {
  const pairs = header.slice(0, 16_384).split(';', limits.cookies)
  return pairs.flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    const isName = value.length > 0 && cookiePattern.test(name.trim()) && !looksSecret(name.trim())
    return isName ? [name.trim()] : []
  })
}

/** @returns `null` if the arguments are too long or not plain data */
function filterArguments(args: readonly unknown[], removed: string[]): StoredArgument[] | null {
  try {
    const stored = args.map((value, at) => filterArgument(value, `argument ${at}`, removed))
    if (JSON.stringify(stored).length <= limits.arguments) return stored
    removed.push('arguments: longer than 8 kB')
  } catch (error) {
    removed.push(`arguments: ${(error as Error).message.slice(0, 100)}`)
  }
  return null
}

function filterArgument(value: unknown, place: string, removed: string[]): StoredArgument {
  if (value === undefined) return { json: null }
  if (!(value instanceof FormData)) return { json: withoutSecrets(value, place, removed) }
  const fields = [...value].flatMap(([name, field]): [string, string][] => {
    const isText = typeof field === 'string'
    const isNamed = !looksSecret(name)
    if (isText && isNamed && !isSecretName(name) && !looksSecret(field)) return [[name, field]]
    removed.push(placeIn(place, name))
    return isText && isNamed ? [[name, removedMark]] : []
  })
  return { form: fields }
}

/**
 * Validates a description from `createDescribeRequest` after it was read from a disk or a store.
 * @returns the request, or the reason why it can't be used
 */
export function readStoredRequest(stored: unknown): StoredRequest | string {
  if (typeof stored !== 'object' || stored === null) return 'it contains no request'
  const { method, target, headers, cookies, hasBody, action, removed } = stored as {
    readonly [Name in keyof StoredRequest]?: unknown
  }
  if (typeof method !== 'string' || !methods.includes(method)) return 'its method is not allowed'
  if (!isTarget(target)) return 'its path is not a path of this app'
  const lines = Object.entries(Object(headers))
  if (!lines.every(isStoredHeader)) return 'it has a header that is never stored'
  if (!isListOf(cookies, limits.cookies, isCookieName)) return 'its cookies are not valid names'
  const read = readAction(action)
  if (typeof read === 'string') return read
  return {
    method,
    target,
    headers: Object.fromEntries(lines) as Record<string, string>,
    cookies,
    hasBody: hasBody === true,
    action: read,
    removed: isListOf(removed, limits.removed, isShortText) ? removed.map(withoutControls) : [],
  }
}

// True for a path that starts with exactly one slash, because two slashes or a backslash lead to a
// different host.
function isTarget(target: unknown): target is string {
  if (typeof target !== 'string' || target.length > limits.target * 2) return false
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(target)
}

function isStoredHeader([name, value]: [string, unknown]): boolean {
  const isValue = typeof value === 'string' && value.length <= limits.header && isHeaderValue(value)
  return storedHeaders.includes(name) && isValue
}

function isHeaderValue(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value)
}

function isCookieName(value: unknown): value is string {
  return typeof value === 'string' && cookiePattern.test(value)
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 200
}

function isListOf<T>(
  value: unknown,
  most: number,
  isItem: (item: unknown) => item is T,
): value is T[] {
  return Array.isArray(value) && value.length <= most && value.every(isItem)
}

function withoutControls(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

function readAction(stored: unknown): StoredAction | null | string {
  if (stored === null || stored === undefined) return null
  const { id, arguments: args = null } = Object(stored) as Record<string, unknown>
  if (typeof id !== 'string' || !actionPattern.test(id)) return 'its action has no valid id'
  if (args === null) return { id, arguments: null }
  const isShort = JSON.stringify(args).length <= limits.arguments * 2
  if (!isShort || !isListOf(args, 100, isArgument)) return 'its arguments are not valid'
  return { id, arguments: args }
}

function isArgument(value: unknown): value is StoredArgument {
  if (typeof value !== 'object' || value === null) return false
  if ('json' in value) return true
  const isField = (each: unknown): each is [string, string] =>
    Array.isArray(each) && each.length === 2 && each.every((text) => typeof text === 'string')
  return 'form' in value && isListOf(value.form, 1_000, isField)
}
