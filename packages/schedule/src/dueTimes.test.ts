import { expect, test } from 'vitest'
import { type JobTimes, lastDueMs, problemOfTimes } from './dueTimes.ts'

const due = (times: JobTimes, now: string) =>
  new Date(lastDueMs(times, Date.parse(now))).toISOString()
const berlin = 'Europe/Berlin'

test.each([
  ['2026-11-30T00:00:59Z', '2026-11-30T00:00:00.000Z'],
  ['2026-11-30T00:01:00Z', '2026-11-30T00:01:00.000Z'],
])('each minute: at %s, the last run is due at %s', (now, expected) => {
  expect(due({ every: 60_000 }, now)).toBe(expected)
})

test.each([
  ['03:30', 'UTC', '2026-11-30T03:29:59Z', '2026-11-29T03:30:00.000Z'],
  ['03:30', 'UTC', '2026-11-30T03:30:00Z', '2026-11-30T03:30:00.000Z'],
  ['03:30', berlin, '2026-01-10T12:00:00Z', '2026-01-10T02:30:00.000Z'],
  ['03:30', berlin, '2026-07-10T12:00:00Z', '2026-07-10T01:30:00.000Z'],
  ['00:10', 'Pacific/Kiritimati', '2026-07-10T12:00:00Z', '2026-07-10T10:10:00.000Z'],
  ['23:50', 'Pacific/Niue', '2026-07-10T12:00:00Z', '2026-07-10T10:50:00.000Z'],
  ['12:00', 'Asia/Kathmandu', '2026-07-10T12:00:00Z', '2026-07-10T06:15:00.000Z'],
])('daily at %s in %s: at %s, the last run is due at %s', (at, timeZone, now, expected) => {
  expect(due({ at, timeZone }, now)).toBe(expected)
})

test('a time that the start of summer time skips is due at the end of the gap', () => {
  // On 2026-03-29, clocks in Berlin go from 02:00 to 03:00, at 01:00 UTC.
  const times = { at: '02:30', timeZone: berlin }
  expect(due(times, '2026-03-29T00:59:59Z')).toBe('2026-03-28T01:30:00.000Z')
  expect(due(times, '2026-03-29T01:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
  expect(due(times, '2026-03-29T23:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
  // Clocks on Lord Howe Island move by half an hour, at 02:00 local time.
  const howe = { at: '02:15', timeZone: 'Australia/Lord_Howe' }
  expect(due(howe, '2026-10-03T20:00:00Z')).toBe('2026-10-03T15:30:00.000Z')
})

test('a time that occurs twice at the end of summer time is due once, the first time', () => {
  // On 2026-10-25, clocks in Berlin go from 03:00 to 02:00, at 01:00 UTC.
  const times = { at: '02:30', timeZone: berlin }
  expect(due(times, '2026-10-25T00:29:59Z')).toBe('2026-10-24T00:30:00.000Z')
  for (const now of ['00:30:00', '01:29:59', '01:30:00', '23:00:00']) {
    expect(due(times, `2026-10-25T${now}Z`)).toBe('2026-10-25T00:30:00.000Z')
  }
})

test('a daily job is due once on each day of a year, in every kind of time zone', () => {
  for (const timeZone of [berlin, 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
    const times = new Set<number>()
    const endMs = Date.parse('2027-01-01T12:00:00Z')
    for (let ms = Date.parse('2026-01-01T12:00:00Z'); ms < endMs; ms += 21_600_000) {
      times.add(lastDueMs({ at: '02:30', timeZone }, ms))
    }
    expect([...times].length).toBeGreaterThanOrEqual(365)
    expect([...times].length).toBeLessThanOrEqual(366)
  }
})

test.each([
  [{ every: 9_999 }, 'every must be'],
  [{ every: Number.NaN }, 'every must be'],
  [{ at: '24:00' }, 'at must be'],
  [{ at: '3:30' }, 'at must be'],
  [{ at: '03:30', timeZone: 'Berlin' }, 'Berlin is not a time zone'],
] as const)('%j is not valid', (times, problem) => {
  expect(problemOfTimes(times)).toContain(problem)
})

test('valid times have no problem', () => {
  expect(problemOfTimes({ every: 10_000 })).toBeNull()
  expect(problemOfTimes({ at: '23:59', timeZone: berlin })).toBeNull()
})
