import { createTokenBucket, createTokenBuckets } from '../../journal/journal.ts'
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
import { withDeadline } from '../../shared/promises.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../shared/response.ts'
import { readBody } from '../request/readBody.ts'
import { clientNetwork } from '../request/readRequest.ts'

export type ErrorBeaconOptions = RecorderOptions & {
  readonly routeOf?: ((pathname: string) => string | null) | undefined
  readonly now?: () => number
}

const overall = { burst: 60, perSecond: 2 }
const perClient = { burst: 20, perSecond: 1 / 3 }
const maxClients = 1_000

// A browser sends a beacon at once.
const limits = { maxBytes: maxBeaconBytes, withinMs: 10_000 }

const journalWithinMs = 2_000

const refusals = { 'too-large': 413, 'too-slow': 408, malformed: 400 } as const

/** Records a browser's error. Anybody can send one, so it is refused early and stored rarely. */
export function createErrorBeacon(
  options: ErrorBeaconOptions,
): (request: ServerRequest) => Promise<HandlerResponse> {
  const { now = Date.now, journal, routeOf } = options
  const record = createRecorder(options)
  const all = createTokenBucket(overall)
  const clients = createTokenBuckets(perClient, maxClients)

  function isTooMuch(request: ServerRequest): boolean {
    const client = clientNetwork(request)
    // The client's limit first, so that one client can't use up the common limit.
    return (client !== null && !clients.take(client, now())) || !all.take(now())
  }

  async function contextOf({ digest, path, buildId }: ErrorBeacon): Promise<EntryContext> {
    const [pathname = ''] = path.split(/[?#]/, 1)
    // An unreadable journal counts as without the digest, a slow one as with it.
    const looking = journal.has(digest).catch(() => false)
    const isTaken = (await withDeadline(looking, journalWithinMs)) !== false
    return {
      digest: isTaken ? createDigest(now(), Math.random()) : digest,
      timeMs: now(),
      phase: 'browser',
      target: path,
      route: tryOrUndefined(() => routeOf?.(pathname)) ?? null,
      buildId,
    }
  }

  return async (request) => {
    if (request.method !== 'POST') return emptyResponse(405, [['allow', 'POST']])
    if (!isSentByOwnPage(request)) return emptyResponse(403)
    if (isTooMuch(request)) return emptyResponse(429, [['retry-after', '60']])
    const body = await readBody(request, limits)
    if (body.kind !== 'body') return emptyResponse(refusals[body.kind])
    const beacon = decodeBeacon(body.bytes)
    if (!beacon) return emptyResponse(400)
    const report = { ...beacon, userAgent: request.headers.get('user-agent') }
    record(createBrowserEntry(report, await contextOf(beacon)), beacon, request)
    return emptyResponse(204)
  }
}

/** Whether a page of this origin has sent a request. */
export function isSentByOwnPage({ headers, origin }: ServerRequest): boolean {
  // Fetch Metadata §2.4: a script can't set it. Older browsers send `origin` with each POST.
  const site = headers.get('sec-fetch-site')
  return site === null ? headers.get('origin') === origin : site === 'same-origin'
}

export function emptyResponse(status: number, headers: HeaderLines = []): HandlerResponse {
  return { status, headers: [['cache-control', 'no-store'], ...headers], body: null }
}

function decodeBeacon(bytes: Uint8Array): ErrorBeacon | null {
  try {
    return parseBeacon(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    // Invalid UTF-8 or JSON.
    return null
  }
}

const isText = (value: unknown) => typeof value === 'string'
const isTextOrNull = (value: unknown) => value === null || isText(value)
const isPath = (value: unknown) => typeof value === 'string' && value.startsWith('/')

const beaconFields: { readonly [Name in keyof ErrorBeacon]: (value: unknown) => boolean } = {
  digest: (value) => typeof value === 'string' && isDigest(value),
  source: (value) => beaconSources.some((each) => each === value),
  name: isText,
  message: isText,
  stack: isTextOrNull,
  componentStack: isTextOrNull,
  path: isPath,
  navigations: (value) => Array.isArray(value) && value.length <= 5 && value.every(isPath),
  buildId: (value) => value === null || (typeof value === 'string' && /^[\w-]{1,64}$/.test(value)),
}

export function parseBeacon(read: unknown): ErrorBeacon | null {
  const from = Object(read)
  const fields = Object.entries(beaconFields)
  if (!fields.every(([name, isValid]) => isValid(from[name]))) return null
  return Object.fromEntries(fields.map(([name]) => [name, from[name]])) as ErrorBeacon
}
