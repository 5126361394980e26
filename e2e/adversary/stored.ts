import { type AppMap, arrivalsPath, pathsOf } from './appMap.ts'
import { beaconPattern } from './beacons.ts'
import { secretPattern } from './failures.ts'
import type { Stored, StoredRecord } from './journalFiles.ts'
import type { Violation } from './violations.ts'

/**
 * A violation with a text that identifies the request, or `null` if any request may have caused the
 * violation.
 */
export type StoredViolation = Violation & { readonly mark: string | null }

// Maximum numbers of series that the endpoint's documentation promises: for all counts, for builds
// other than its own, and for the combinations of values on one page.
const maxSeries = { counts: 4_000, otherBuilds: 2_001, ofPage: 2 * 5 * 6 }

/** Finds data that no server may store, whatever clients send. */
export function storedViolations({ records, metrics }: Stored, map: AppMap): StoredViolation[] {
  const lines = metrics.match(/^waymark_arrivals_total\{/gm) ?? []
  const isMany = lines.length > maxSeries.otherBuilds + maxSeries.ofPage * (pathsOf(map).length + 1)
  return [
    ...records.flatMap(secretsIn),
    ...records.flatMap((record) => reportOf(record, map)),
    ...records.filter(isCounts).flatMap(countsViolations),
    ...beaconTexts(metrics, 'metrics'),
    ...(isMany ? [{ ...tooMany, detail: 'metrics', mark: null }] : []),
  ]
}

/** Finds text that no report may show. */
export function reportViolations(report: string): StoredViolation[] {
  return beaconTexts(report, 'report')
}

const tooMany = { kind: 'too many series' } as const

const isCounts = ({ kind }: StoredRecord) => kind === 'counts'

function countsViolations({ data }: StoredRecord): StoredViolation[] {
  const { series, vitals } = data as { series: unknown[]; vitals: unknown[] }
  const isMany = Math.max(series.length, vitals.length) > maxSeries.counts
  return [
    ...beaconTexts(JSON.stringify(data), 'counts'),
    ...(isMany ? [{ ...tooMany, detail: 'counts', mark: null }] : []),
  ]
}

function beaconTexts(text: string, detail: string): StoredViolation[] {
  const marks = new Set(text.match(beaconPattern))
  return [...marks].map((mark) => ({ kind: 'text of a beacon was stored', detail, mark }))
}

/** Returns a violation if the server reported an error while it handled a beacon. */
function reportOf({ kind, phase, path }: StoredRecord, map: AppMap): StoredViolation[] {
  const isOfBeacon = kind === 'error' && String(path).startsWith(map.base + arrivalsPath)
  return isOfBeacon ? [{ kind: 'a journal entry', detail: `${phase} ${path}`, mark: null }] : []
}

function secretsIn(record: StoredRecord): StoredViolation[] {
  // The path in a record may contain the names of query parameters, but not their values.
  const [, query = ''] = String(record.path ?? '').split('?')
  const path = query.split('&').map((pair) => pair.split('=')[1] ?? '')
  return textsIn({ ...record, path }, '').flatMap(([place, text]) =>
    [...new Set(text.match(secretPattern))].map((mark) => ({
      kind: 'a secret was stored',
      detail: place,
      mark,
    })),
  )
}

/** Lists all names and strings within a value, each with its place, such as `replay.target`. */
function textsIn(value: unknown, place: string): (readonly [place: string, text: string])[] {
  if (typeof value !== 'object' || value === null) return [[place, String(value)]]
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, place))
  return Object.entries(value).flatMap(([name, item]) => [
    [`a name in ${place}`, name] as const,
    ...textsIn(item, `${place}${place && '.'}${name.replaceAll(secretPattern, '…')}`),
  ])
}
