import type { HandlerResponse, ServerRequest } from '../../http/response.ts'
import { createBrowserEntry, type EntryContext } from '../../journal/journalEntry.ts'
import { createRecorder, type RecorderOptions } from '../../journal/reportError.ts'
import { tryOrUndefined } from '../../shared/neverThrows.ts'
import { withDeadline } from '../../shared/promises.ts'
import {
  beaconSources,
  createDigest,
  type ErrorBeacon,
  isDigest,
  maxBeaconBytes,
} from '../../wire/errorReport.ts'
import { receiveBeacons } from '../request/receiveBeacons.ts'

export type ErrorBeaconOptions = RecorderOptions & {
  readonly routeOf?: ((pathname: string) => string | null) | undefined
  readonly now?: () => number
}

const limits = {
  overall: { burst: 60, perSecond: 2 },
  perClient: { burst: 20, perSecond: 1 / 3 },
  maxClients: 1_000,
  maxBytes: maxBeaconBytes,
}

const journalWithinMs = 2_000

/** Records errors from browsers. Anybody can send errors, so the rate is limited. */
export function createErrorBeacon(
  options: ErrorBeaconOptions,
): (request: ServerRequest) => Promise<HandlerResponse> {
  const { now = Date.now, journal, routeOf } = options
  const record = createRecorder(options)

  async function contextOf({ digest, path, buildId }: ErrorBeacon): Promise<EntryContext> {
    const [pathname = ''] = path.split(/[?#]/, 1)
    // Assume that a digest is free if the journal fails, and that it is taken if the journal is
    // slow.
    const looking = journal.has(digest).catch(() => false)
    const isInUse = (await withDeadline(looking, journalWithinMs)) !== false
    return {
      digest: isInUse ? createDigest(now(), Math.random()) : digest,
      timeMs: now(),
      phase: 'browser',
      target: path,
      route: tryOrUndefined(() => routeOf?.(pathname)) ?? null,
      buildId,
    }
  }

  async function receive(text: string, request: ServerRequest): Promise<boolean> {
    const beacon = parseBeacon(tryOrUndefined(() => JSON.parse(text)))
    if (!beacon) return false
    const report = { ...beacon, userAgent: request.headers.get('user-agent') }
    record(createBrowserEntry(report, await contextOf(beacon)), beacon, request)
    return true
  }

  return receiveBeacons(limits, receive, now)
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
