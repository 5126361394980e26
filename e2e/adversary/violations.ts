import { type Access, type AppMap, guardedText, otherResult } from './appMap.ts'
import type { Subscriptions } from './attackSource.ts'
import type { Outcome } from './exchange.ts'
import { leakedAdminPages } from './liveRequests.ts'
import { isForeign } from './protocolHeaders.ts'
import { type AttackRequest, isPrivileged } from './request.ts'
import type { Seen } from './target.ts'
import { type Forwarded, wrongForward } from './upstream.ts'

/** Things that a server must not do, no matter what clients send. */
export type ViolationKind =
  | 'the server ended'
  | 'a slot was held'
  | 'a guarded action ran'
  | 'an action ran for another site'
  | 'a server error'
  | 'guarded text leaked'
  | 'a response without an end'
  | 'too much processor time'
  | 'a location of a client'
  | 'a foreign request forwarded'
  | 'a journal entry'
  | 'text of a client ran'
  | 'a secret was stored'
  | 'text of a beacon was stored'
  | 'too many series'
  | 'a page of another user reported'
  | 'guarded text for shared caches'
  | 'a cached result of other arguments'

/** Something that a server did and must not do. */
export type Violation = {
  readonly kind: ViolationKind
  /** Details, such as the action that ran, the status, or the owner of the revealed text. */
  readonly detail: string
}

/** Further data about one request, beyond its outcome. */
export type Surroundings = {
  readonly map: AppMap
  /** Authority (host and port) of the server. */
  readonly host: string
  readonly subscriptions?: Subscriptions
  /** Requests that the app forwarded while it handled this request. */
  readonly forwarded?: readonly Forwarded[]
}

/**
 * Returns the violations in the outcome of one request.
 * @param seen the app's reports about this request
 */
export function violationsOf(
  request: AttackRequest,
  { kind, response }: Outcome,
  seen: readonly Seen[],
  { map, host, forwarded = [], subscriptions }: Surroundings,
): Violation[] {
  const violations: Violation[] = []
  const wrong = wrongAction(seen, map)
  if (wrong !== null) violations.push({ kind: 'a guarded action ran', detail: wrong })
  const foreign = isForeign(request.headers) && seen.find(({ name }) => name !== 'thrown')
  if (foreign) violations.push({ kind: 'an action ran for another site', detail: foreign.name })
  if (kind === 'endless') violations.push({ kind: 'a response without an end', detail: '' })
  for (const each of forwarded) {
    const detail = wrongForward(request, each)
    if (detail !== null) violations.push({ kind: 'a foreign request forwarded', detail })
  }
  if (response === null) return violations
  const { status, text } = response
  if (status >= 500 && !isOfApp(status, seen))
    violations.push({ kind: 'a server error', detail: String(status) })
  if (!isSameOriginLocation(response.headers.get('location'), host))
    violations.push({ kind: 'a location of a client', detail: '' })
  // Check only status 200, because a refusal also contains JSON, but reveals nothing about pages.
  if (subscriptions && status === 200 && !isPrivileged(request)) {
    const leaked = leakedAdminPages(request, text, { map, subscriptions })
    if (leaked.length > 0) violations.push({ kind: 'a page of another user reported', detail: '' })
  }
  if (isForSharedCaches(request, status, response.headers) && text.includes(guardedText.admin))
    violations.push({
      kind: 'guarded text for shared caches',
      detail: areaOf(text, guardedText.admin),
    })
  if (text.includes(otherResult))
    violations.push({ kind: 'a cached result of other arguments', detail: '' })
  const guardedArea = leakedArea(request, text)
  if (guardedArea !== null) violations.push({ kind: 'guarded text leaked', detail: guardedArea })
  return violations
}

/** True if shared caches may store a response and send it to other clients. */
function isForSharedCaches(
  { method }: AttackRequest,
  status: number,
  headers: ReadonlyMap<string, string>,
): boolean {
  if (method !== 'GET' || status !== 200) return false
  const isPrivate = /private|no-store/.test(headers.get('cache-control') ?? '')
  return !isPrivate || headers.has('cdn-cache-control')
}

// The app caused the error itself if a page failed on purpose, which the page reports first, or if
// an action awaited one of its arguments for longer than its time limit.
function isOfApp(status: number, seen: readonly Seen[]): boolean {
  return seen.some(({ name }) => name === 'thrown' || (name === 'awaitAll' && status === 504))
}

/** True if a browser that follows a `Location` header would stay on the app's origin. */
function isSameOriginLocation(location: string | undefined, appHost: string): boolean {
  if (location === undefined) return true
  const base = 'http://app.invalid'
  if (!URL.canParse(location, base)) return false
  const { protocol, host } = new URL(location, base)
  return /^https?:$/.test(protocol) && (host === 'app.invalid' || host === appHost)
}

/**
 * Returns the name of an action that ran although a guard refuses it, or in addition to the only
 * action that a request may call.
 */
export function wrongAction(seen: readonly Seen[], { accessOf }: AppMap): string | null {
  const actions = seen.filter(({ name }) => name !== 'thrown')
  const refused = actions.find((action) => !mayRun(action, accessOf(action.name)))
  if (refused) return refused.name
  return actions.length > 1 ? 'more than one' : null
}

function mayRun({ isAdmin }: Seen, access: Access): boolean {
  switch (access) {
    case 'anybody':
      return true
    case 'admin':
      return isAdmin
    case 'nobody':
      return false
  }
}

/** @returns the area whose guarded text is in the response, or `null` */
function leakedArea(request: AttackRequest, text: string): string | null {
  const { admin, nobody } = guardedText
  const marks = isPrivileged(request) ? [nobody] : [nobody, admin]
  for (const mark of marks) {
    if (text.includes(mark)) return areaOf(text, mark)
  }
  return null
}

function areaOf(text: string, mark: string): string {
  const at = text.indexOf(mark)
  return /^[a-z0-9]*/.exec(text.slice(at + mark.length))?.[0] ?? ''
}
