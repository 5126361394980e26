import { createTokenBucket, createTokenBuckets, type Journal } from '../../journal/journal.ts'
import { createBrowserEntry, type EntryContext } from '../../journal/journalEntry.ts'
import { createRecorder, type RecorderOptions } from '../../journal/reportError.ts'
import { tryOrUndefined } from '../../journal/thrownText.ts'
import {
  beaconSources,
  createDigest,
  type ErrorBeacon,
  isDigest,
  maxBeaconBytes,
} from '../../shared/errorReport.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../shared/response.ts'
import { clientNetwork } from '../request/clientNetwork.ts'
import { type ReadBody, readBody } from '../request/readBody.ts'

/** Options of the endpoint for errors in browsers. */
export type ErrorBeaconOptions = RecorderOptions & {
  /**
   * Tells clients apart; `null` when it can't. Default: by their address, of IPv6 by the network
   * that one client has.
   */
  readonly clientOf?: ((request: ServerRequest) => string | null) | undefined
  /** Finds the pattern of a pathname's route. */
  readonly routeOf?: ((pathname: string) => string | null) | undefined
  readonly now?: () => number
  /** From 0 to 1, 1 excluded. */
  readonly random?: () => number
}

const overall = { burst: 60, perSecond: 2 }
const perClient = { burst: 20, perSecond: 1 / 3 }
const maxClients = 1_000

const refusals = { 'too-large': 413, 'too-slow': 408, malformed: 400 } as const

/**
 * Creates the handler of a POST to `errorBeaconPath`: it writes a browser's error into the journal.
 * Anybody can send anything here, so it is refused early and stored seldom.
 * @returns never rejects: 204; 403 from another origin; 405; 408; 413; 400; 429
 */
export function createErrorBeacon(
  options: ErrorBeaconOptions,
): (request: ServerRequest) => Promise<HandlerResponse> {
  const { now = Date.now, clientOf = clientNetwork } = options
  const record = createRecorder(options)
  const all = createTokenBucket(overall)
  const clients = createTokenBuckets(perClient, maxClients)

  function isTooMuch(request: ServerRequest): boolean {
    const client = clientOf(request)
    // First the client: what one client sends too often takes nothing from the others.
    return (client !== null && !clients.take(client, now())) || !all.take(now())
  }

  return async (request) => {
    if (request.method !== 'POST') return answer(405, [['allow', 'POST']])
    if (!isSameOrigin(request)) return answer(403)
    if (isTooMuch(request)) return answer(429, [['retry-after', '60']])
    const body = await readBeacon(request)
    if (body.kind !== 'beacon') return answer(refusals[body.kind])
    const { beacon } = body
    const facts = await factsOf(beacon, options)
    const report = { ...beacon, userAgent: request.headers.get('user-agent') }
    record(createBrowserEntry(report, facts), beacon, request)
    return answer(204)
  }
}

/** Tells whether a request comes from a page of this origin, as far as browsers say so. */
function isSameOrigin({ headers, origin }: ServerRequest): boolean {
  // Fetch Metadata §2.4: no script can set it. Browsers without it send an origin with each POST.
  const site = headers.get('sec-fetch-site')
  return site === null ? headers.get('origin') === origin : site === 'same-origin'
}

async function factsOf(beacon: ErrorBeacon, options: ErrorBeaconOptions): Promise<EntryContext> {
  const { path, buildId } = beacon
  const [pathname = ''] = path.split(/[?#]/, 1)
  const { now = Date.now, random = Math.random, journal, routeOf } = options
  const timeMs = now()
  const isTaken = await holds(journal, beacon.digest)
  return {
    digest: isTaken ? createDigest(timeMs, random()) : beacon.digest,
    timeMs,
    phase: 'browser',
    target: path,
    route: tryOrUndefined(() => routeOf?.(pathname)) ?? null,
    buildId,
  }
}

async function holds(journal: Journal, digest: string): Promise<boolean> {
  try {
    return await journal.has(digest)
  } catch {
    // A journal that can't be read will hardly hold it.
    return false
  }
}

function answer(status: number, headers: HeaderLines = []): HandlerResponse {
  return { status, headers: [['cache-control', 'no-store'], ...headers], body: null }
}

/** What a request to the beacon's URL holds. */
export type BeaconBody = { readonly kind: 'beacon'; readonly beacon: ErrorBeacon } | Unfit

type Unfit = Exclude<ReadBody, { kind: 'body' }>

const malformed: Unfit = { kind: 'malformed' }

// A browser sends a beacon in one go.
const limits = { maxBytes: maxBeaconBytes, withinMs: 10_000 }

/** Reads a beacon, and no more of the body than a beacon may have. */
export async function readBeacon(request: ServerRequest): Promise<BeaconBody> {
  const body = await readBody(request, limits)
  if (body.kind !== 'body') return body
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body.bytes)
    const beacon = parseBeacon(JSON.parse(text))
    return beacon ? { kind: 'beacon', beacon } : malformed
  } catch {
    // No UTF-8, or no JSON.
    return malformed
  }
}

/**
 * Checks that a structure is a beacon.
 * @returns `null` when it is none
 */
export function parseBeacon(read: unknown): ErrorBeacon | null {
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return null
  const from = read as Readonly<Record<string, unknown>>
  const source = beaconSources.find((each) => each === from.source)
  const { digest, name, message, path, navigations } = from
  const stack = textOrNull(from.stack)
  const componentStack = textOrNull(from.componentStack)
  const buildId = textOrNull(from.buildId)
  if (!source || typeof digest !== 'string' || !isDigest(digest)) return null
  if (typeof name !== 'string' || typeof message !== 'string' || !isPath(path)) return null
  if (stack === undefined || componentStack === undefined || buildId === undefined) return null
  if (buildId !== null && !/^[\w-]{1,64}$/.test(buildId)) return null
  if (!Array.isArray(navigations) || navigations.length > 5 || !navigations.every(isPath))
    return null
  return { digest, source, name, message, stack, componentStack, path, navigations, buildId }
}

/** @returns `undefined` for what is neither */
function textOrNull(value: unknown): string | null | undefined {
  return typeof value === 'string' || value === null ? value : undefined
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('/')
}
