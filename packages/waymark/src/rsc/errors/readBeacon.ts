import type { ServerRequest } from '../../shared/answer.ts'
import { isDigest } from '../../shared/digest.ts'
import { beaconSources, type ErrorBeacon, maxBeaconBytes } from '../../shared/errorBeacon.ts'
import { type ReadBody, readBody } from '../request/readBody.ts'

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
