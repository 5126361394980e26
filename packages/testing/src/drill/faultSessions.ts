import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { unmounted } from 'waymark/adapter'
import { createFaultRules, type Fault, type FaultRule, type FaultRules } from './fault.ts'
import { isTargeted, type Target } from './faultList.ts'
import { resetConnection, respondWithFault } from './faultProxy.ts'

/**
 * The kinds of requests that the devtools panel can break, and the faults. `offline` resets
 * connections, and also makes the browser report that it is offline.
 */
export const faultTargets = ['data', 'document', 'scripts', 'styles', 'actions'] as const
export const faultKinds = ['hang', 'slow', 'reset', 'cut', '500', 'offline'] as const

type FaultTarget = (typeof faultTargets)[number] & Target
type FaultKind = (typeof faultKinds)[number]

/** A fault that a browser has switched on. */
export type SwitchedFault = {
  readonly target: FaultTarget
  readonly kind: FaultKind
  /** True if the fault ends after the first request that it affects. */
  readonly isOnce: boolean
}

/** The faults of one browser, as its panel shows them. */
export type FaultState = {
  readonly faults: readonly (SwitchedFault & { readonly hits: number })[]
  /** Milliseconds until the faults end automatically; 0 without faults. */
  readonly leftMs: number
}

type Session = {
  readonly rules: FaultRules
  readonly switched: readonly { readonly fault: SwitchedFault; readonly rule: FaultRule }[]
  readonly endsAtMs: number
  seenAtMs: number
  readonly controller: AbortController
  readonly timer: NodeJS.Timeout
}

const cookieName = 'waymark-faults'
const maxSessions = 20
const longestMs = 10 * 60_000
/**
 * Milliseconds without a report from the panel after which the faults end. Panels report every ten
 * seconds, but a broken page must be able to load its panel again.
 */
const unseenMs = 40_000

/** The dev server's faults, kept separately for each browser. */
export type FaultSessions = ReturnType<typeof createFaultSessions>

/**
 * Creates the list of a dev server's faults. Each browser is identified by a cookie. Faults end
 * when the browser switches them off, when its panel stops reporting, or after ten minutes.
 */
export function createFaultSessions(now: () => number = Date.now) {
  const sessions = new Map<string, Session>()

  function end(token: string | null): void {
    const session = token === null ? undefined : sessions.get(token)
    if (token === null || !session) return
    clearTimeout(session.timer)
    sessions.delete(token)
    session.controller.abort()
  }
  function find(token: string | null): Session | null {
    const session = token === null ? undefined : sessions.get(token)
    if (!session) return null
    if (now() < session.endsAtMs && now() < session.seenAtMs + unseenMs) return session
    end(token)
    return null
  }

  return {
    /**
     * Returns the faults of the browser that sent a request, and the cookie that keeps these faults
     * active.
     */
    read(req: IncomingMessage): { readonly state: FaultState; readonly cookie: string | null } {
      const token = tokenOf(req)
      const session = find(token)
      if (!session || token === null) return { state: stateOf(null, now()), cookie: null }
      session.seenAtMs = now()
      return { state: stateOf(session, now()), cookie: cookieLine(token, unseenMs) }
    },
    /** Replaces the faults of the browser that sent a request. */
    set(req: IncomingMessage, faults: readonly SwitchedFault[]) {
      end(tokenOf(req))
      if (faults.length === 0) return { state: stateOf(null, now()), cookie: cookieLine('', 0) }
      const token = randomBytes(16).toString('hex')
      const timer = setTimeout(end, longestMs, token)
      timer.unref()
      const session = { ...switchOn(faults), endsAtMs: now() + longestMs, seenAtMs: now(), timer }
      sessions.set(token, session)
      const [oldest] = sessions.keys()
      if (sessions.size > maxSessions && oldest !== undefined) end(oldest)
      return { state: stateOf(session, now()), cookie: cookieLine(token, unseenMs) }
    },
    /**
     * Returns the fault for a request to the app, and a signal that aborts when the fault ends.
     * Counts the request as affected.
     */
    take(
      req: IncomingMessage,
      target: string,
    ): { readonly fault: Fault; readonly signal: AbortSignal } | null {
      const session = find(tokenOf(req))
      const { method = 'GET', headers } = req
      const fault = session?.rules.take({ method, target, headers })
      return session && fault ? { fault, signal: session.controller.signal } : null
    },
  }
}

/** The faults that the dev server's panel has switched on. */
export type DevFaults = ReturnType<typeof createDevFaults>

/** Creates the dev server's faults and the middleware that applies them. */
export function createDevFaults(options: Parameters<typeof createFaultMiddleware>[1]) {
  const sessions = createFaultSessions()
  return {
    breakRequests: createFaultMiddleware(sessions, options),
    read: sessions.read,
    /** @returns `null` if the input is not a valid list of faults */
    set(req: IncomingMessage, input: unknown) {
      const faults = readFaults(input)
      return faults && sessions.set(req, faults)
    },
  }
}

/**
 * Creates a middleware that breaks the requests for which a browser has switched on a fault, and
 * passes on all others.
 * @param options `origin` returns the server's own origin, or `null` until it listens. `basePath`
 * is the app's base path.
 */
export function createFaultMiddleware(
  sessions: FaultSessions,
  { origin, basePath }: { readonly origin: () => string | null; readonly basePath: string },
) {
  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const { url = '/' } = req
    const target = unmounted(url, basePath) ?? url
    // The panel needs its own requests to switch faults off, so never break them.
    const isPanelRequest = target.startsWith('/_waymark/devtools/')
    const app = isPanelRequest || tokenOf(req) === null ? null : origin()
    const hit = app && sessions.take(req, target)
    // The app must not see the cookie, which would also break the forwarded request again.
    if (app) withoutToken(req)
    if (!app || !hit) {
      next()
      return
    }
    const breakOff = () => resetConnection(res)
    hit.signal.addEventListener('abort', breakOff)
    res.on('close', () => hit.signal.removeEventListener('abort', breakOff))
    respondWithFault(new URL(app), hit.fault, req, res).catch(breakOff)
  }
}

/** Parses a panel's list of faults. @returns `null` if it is not valid */
export function readFaults(value: unknown): readonly SwitchedFault[] | null {
  if (!Array.isArray(value) || value.length > faultTargets.length) return null
  const read = value.map((each: unknown) => {
    const { target: targetInput, kind: kindInput, isOnce } = Object(each) as Record<string, unknown>
    const target = faultTargets.find((name) => name === targetInput)
    const kind = faultKinds.find((name) => name === kindInput)
    return target && kind ? { target, kind, isOnce: isOnce === true } : null
  })
  return read.every((fault) => fault !== null) ? read : null
}

function switchOn(faults: readonly SwitchedFault[]) {
  const rules = createFaultRules()
  const switched = faults.map((fault) => {
    const { target, isOnce } = fault
    const match = (request: Parameters<typeof isTargeted>[2]) => {
      const [path = ''] = request.target.split('?')
      const isDocument = request.headers['sec-fetch-dest'] === 'document'
      return isTargeted(target, isDocument ? path : '', request)
    }
    const rule = rules.inject(faultOf(fault), { match, ...(isOnce ? { times: 1 } : {}) })
    return { fault, rule }
  })
  return { rules, switched, controller: new AbortController() }
}

function faultOf({ kind, target }: SwitchedFault): Fault {
  const isAsset = target === 'scripts' || target === 'styles'
  switch (kind) {
    case 'hang':
      return { kind }
    case 'slow':
      return { kind, bytesPerSecond: isAsset ? 20_000 : 2_000 }
    case 'cut':
      return { kind, afterBytes: target === 'document' ? 2_000 : 60, ending: 'reset' }
    case '500':
      return { kind: 'replace', status: 500, body: '<h1>500, by Waymark devtools</h1>' }
    case 'reset':
    case 'offline':
      return { kind: 'reset' }
  }
}

function stateOf(session: Session | null, nowMs: number): FaultState {
  const faults = session?.switched.map(({ fault, rule }) => ({ ...fault, hits: rule.hits })) ?? []
  return { faults, leftMs: session ? Math.max(0, session.endsAtMs - nowMs) : 0 }
}

const tokenCookie = new RegExp(`(?:^|;)\\s*${cookieName}=([\\da-f]{32})?(?=;|$)`)

function tokenOf({ headers }: IncomingMessage): string | null {
  return tokenCookie.exec(headers.cookie ?? '')?.[1] ?? null
}

function withoutToken({ headers }: IncomingMessage): void {
  const rest = (headers.cookie ?? '').replace(tokenCookie, '').replace(/^;\s*/, '')
  if (rest) headers.cookie = rest
  else delete headers.cookie
}

function cookieLine(token: string, ms: number): string {
  return `${cookieName}=${token}; Path=/; SameSite=Strict; Max-Age=${ms / 1000}`
}
