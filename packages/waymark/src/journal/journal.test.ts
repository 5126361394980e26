import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { digestAt, entryAt, startMs } from '../../../testing/src/drivers/journalDriverSuite.ts'
import { createJournal } from './journal.ts'
import { createMemoryJournal } from './storedJournal.ts'

beforeEach(() => void vi.useFakeTimers({ now: startMs }))
afterEach(() => void vi.useRealTimers())

function create() {
  const driver = createMemoryJournal()
  return { driver, journal: createJournal({ driver }) }
}

describe('a few errors', () => {
  test('are stored completely', async () => {
    const { driver, journal } = create()
    for (let at = 0; at < 20; at++) expect(journal.record(entryAt(at))).toBe(true)
    expect(await driver.list()).toHaveLength(20)
  })
})

describe('a flood of equal errors', () => {
  test('is stored in part, and the rest is counted', async () => {
    const { driver, journal } = create()
    const results = Array.from({ length: 5_000 }, (_, at) => journal.record(entryAt(at)))
    expect(results.filter(Boolean)).toHaveLength(20)
    await journal.flush()
    expect(await driver.groups()).toMatchObject([{ count: 5_000 }])
  })

  test('is written by itself after a second', async () => {
    const { driver, journal } = create()
    for (let at = 0; at < 100; at++) journal.record(entryAt(at))
    expect(await driver.groups()).toMatchObject([{ count: 20 }])
    vi.advanceTimersByTime(1_000)
    expect(await driver.groups()).toMatchObject([{ count: 100 }])
  })

  test('can be found by each of its digests', async () => {
    const { driver, journal } = create()
    for (let at = 0; at < 500; at++) journal.record(entryAt(at))
    await journal.flush()
    expect(await driver.find(digestAt(10))).toMatchObject({ kind: 'whole' })
    expect(await driver.find(digestAt(499))).toMatchObject({
      kind: 'alike',
      example: { digest: digestAt(19) },
    })
  })

  test('leaves space for errors of another kind', () => {
    const { journal } = create()
    for (let at = 0; at < 500; at++) journal.record(entryAt(at))
    expect(journal.record(entryAt(501, { fingerprint: 'other' }))).toBe(true)
  })

  test('is followed by complete entries once it ends', () => {
    const { journal } = create()
    for (let at = 0; at < 500; at++) journal.record(entryAt(at))
    vi.advanceTimersByTime(60_000)
    expect(journal.record(entryAt(60_000))).toBe(true)
  })
})

test('a flood of many kinds is stored in part and needs little memory', async () => {
  const { driver, journal } = create()
  const results = Array.from({ length: 5_000 }, (_, at) =>
    journal.record(entryAt(at, { fingerprint: `f${at}` })),
  )
  expect(results.filter(Boolean)).toHaveLength(200)
  await journal.flush()
  const groups = await driver.groups({ limit: 10_000 })
  // The journal in memory stores 200 complete entries, and 500 records that are only counts.
  expect(groups).toHaveLength(200 + 500)
})

test('a flood of browser reports does not displace entries of the server', async () => {
  const { journal } = create()
  const results = Array.from({ length: 5_000 }, (_, at) =>
    journal.record(entryAt(at, { fingerprint: `b${at}`, phase: 'browser' })),
  )
  expect(results.filter(Boolean)).toHaveLength(60)
  expect(journal.record(entryAt(6_000))).toBe(true)
})

describe('a digest', () => {
  test('is known as soon as it was recorded', async () => {
    const { journal } = create()
    expect(await journal.has(digestAt(1))).toBe(false)
    journal.record(entryAt(1))
    expect(await journal.has(digestAt(1))).toBe(true)
  })

  test('is known if the driver has it from an earlier process', async () => {
    const { driver, journal } = create()
    driver.write(entryAt(1))
    expect(await journal.has(digestAt(1))).toBe(true)
  })
})
