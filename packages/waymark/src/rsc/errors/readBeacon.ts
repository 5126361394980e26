import type { ServerRequest } from '../../shared/answer.ts'
import { isDigest } from '../../shared/digest.ts'
import { beaconSources, type ErrorBeacon, maxBeaconBytes } from '../../shared/errorBeacon.ts'

/** What a request to the beacon's URL holds. */
export type BeaconBody = { readonly kind: 'beacon'; readonly beacon: ErrorBeacon } | Unfit

type Unfit = { readonly kind: 'too-large' | 'malformed' }

const malformed: Unfit = { kind: 'malformed' }
const tooLarge: Unfit = { kind: 'too-large' }

// A browser sends a beacon in one go.
const readWithinMs = 10_000
const maxDrainedBytes = 1_000_000

/** Reads a beacon, and no more of the body than a beacon may have. */
export async function readBeacon(request: ServerRequest): Promise<BeaconBody> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBeaconBytes) return tooLarge
  const reader = request.toRequest().body?.getReader()
  if (!reader) return malformed
  const deadline = setTimeout(() => reader.cancel().catch(() => {}), readWithinMs)
  try {
    const bytes = await readAll(reader)
    if (bytes === null) return tooLarge
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const beacon = parseBeacon(JSON.parse(text))
    return beacon ? { kind: 'beacon', beacon } : malformed
  } catch {
    // No UTF-8, no JSON, or the browser went away.
    return malformed
  } finally {
    clearTimeout(deadline)
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** @returns `null` when there is more than a beacon may have */
async function readAll(reader: Reader): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength
    if (length > maxBeaconBytes) {
      void drain(reader)
      return null
    }
    pieces.push(next.value)
  }
  const whole = new Uint8Array(length)
  pieces.reduce((at, piece) => {
    whole.set(piece, at)
    return at + piece.byteLength
  }, 0)
  return whole
}

// Cut at once, the connection would be gone before the answer is on it.
async function drain(reader: Reader): Promise<void> {
  try {
    let length = 0
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.byteLength
      if (length > maxDrainedBytes) return await reader.cancel()
    }
  } catch {
    // The client went away.
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
