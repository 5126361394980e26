import {
  type Beacon,
  causes,
  type Load,
  loadKinds,
  maxLoads,
  noticeEnds,
  outcomes,
  waitedFor,
} from '../shared/load.ts'
import { vitalNames } from '../shared/vital.ts'

type Check = (value: unknown) => boolean
type Fields = Readonly<Record<string, Check>>

const maxRouteLength = 500
const maxMs = 86_400_000
const maxAttempts = 1_000

const isWhole = (value: unknown, least: number, most: number) =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most
const oneOf = (list: readonly string[]) => (value: unknown) => list.some((each) => each === value)
const isText = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value)
const isRoute = (value: unknown) =>
  value === null ||
  (typeof value === 'string' && value.startsWith('/') && value.length <= maxRouteLength)

const beaconFields: Fields = {
  build: (value) => value === null || isText(/^[\w-]{1,64}$/)(value),
  loads: (value) => Array.isArray(value) && value.length <= maxLoads,
  vitals: (value) => Array.isArray(value) && value.length <= maxLoads,
}

const loadFields: Fields = {
  route: isRoute,
  kind: oneOf(loadKinds),
  outcome: oneOf(outcomes),
  ms: (value) => value === null || isWhole(value, 0, maxMs),
  attempts: (value) => isWhole(value, 1, maxAttempts),
}

const optionalFields: Fields = {
  status: (value) => isWhole(value, 400, 599),
  digest: isText(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{3}$/),
  end: oneOf(noticeEnds),
  cause: oneOf(causes),
  late: oneOf(waitedFor),
}

const vitalFields: Fields = {
  route: isRoute,
  name: oneOf(vitalNames),
  isSoft: (value) => typeof value === 'boolean',
  value: (value) => isWhole(value, 0, maxMs),
}

/** @returns `null` for a body that our browser code wouldn't send */
export function parseBeacon(text: string): Beacon | null {
  const read = parseJson(text)
  if (!hasFields(read, beaconFields, {})) return null
  const { loads, vitals } = read as { loads: unknown[]; vitals: unknown[] }
  const isBeacon =
    loads.length + vitals.length > 0 &&
    loads.every(isLoad) &&
    vitals.every((vital) => hasFields(vital, vitalFields, {}))
  return isBeacon ? (read as Beacon) : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Return `null` for invalid JSON, because `parseBeacon` refuses `null`.
    return null
  }
}

function isLoad(read: unknown): boolean {
  if (!hasFields(read, loadFields, optionalFields)) return false
  const { outcome, status, digest, end } = read as Load
  return (
    (status !== undefined) === (outcome === 'fallback') &&
    (end !== undefined) === (outcome === 'notice') &&
    (digest === undefined || outcome === 'error')
  )
}

/**
 * True if a value's own properties include all required fields and nothing else except optional fields.
 */
function hasFields(
  value: unknown,
  needed: Fields,
  optional: Fields,
): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const record = value as Readonly<Record<string, unknown>>
  if (!Object.keys(needed).every((name) => Object.hasOwn(record, name))) return false
  return Object.keys(record).every((name) => {
    const fields = Object.hasOwn(needed, name) ? needed : optional
    return Object.hasOwn(fields, name) && fields[name]?.(record[name]) === true
  })
}
