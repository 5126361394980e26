import {
  type AggregateRecord,
  type CountsRecord,
  createDigest,
  createEntry,
  type JournalDriver,
  type JournalEntry,
} from 'waymark/drivers'
import { createDriverTest, type DriverTest, type TestRunner } from './testRunner.ts'

/**
 * Runs the tests that every journal driver must pass.
 * @param create returns an empty journal for a single test. The suite closes the journal after the
 * test.
 */
export function journalDriverSuite(
  create: () => JournalDriver | Promise<JournalDriver>,
  runner: TestRunner,
): void {
  const it = createDriverTest(create, runner)
  testFinding(it)
  testLists(it)
  testGroups(it)
  testCounts(it)
}

type It = DriverTest<JournalDriver>

export const startMs = Date.UTC(2026, 0, 21, 12)

export function digestAt(at: number): string {
  return createDigest(startMs + at, 0)
}

// Capturing a stack trace is slow in test runners, so create the error only once.
const template = createEntry(new Error('error'), {
  digest: digestAt(0),
  timeMs: startMs,
  phase: 'document',
  route: '/a',
  target: '/a?b=c',
})

export function entryAt(at: number, changes: Partial<JournalEntry> = {}): JournalEntry {
  const timeMs = startMs + at
  return { ...template, digest: digestAt(at), timeMs, message: `error ${at}`, ...changes }
}

export function alikeAt(
  at: number,
  count: number,
  changes: Partial<AggregateRecord> = {},
): AggregateRecord {
  const digests = Array.from({ length: count }, (_, index) => digestAt(at + index))
  const { fingerprint, route } = entryAt(at)
  const span = { fromMs: startMs + at, toMs: startMs + at + count - 1 }
  return { kind: 'alike', fingerprint, route, count, ...span, digests, example: null, ...changes }
}

function testFinding(it: It): void {
  it('returns an entry as it was written', async (driver, expect) => {
    const entry = entryAt(1, { message: 'äöü 👩‍👩‍👧 "\\ \n\u2028', causes: [], status: 500 })
    driver.write(entry)
    expect(await driver.find(entry.digest)).toEqual({ kind: 'whole', entry })
  })

  it('finds nothing for an unknown digest', async (driver, expect) => {
    expect(await driver.find(digestAt(1))).toBeNull()
    driver.write(entryAt(2, { message: `mentions ${digestAt(1)}` }))
    expect(await driver.find(digestAt(1))).toBeNull()
  })

  it('finds the first and the last of many', async (driver, expect) => {
    for (let at = 0; at < 300; at++) driver.write(entryAt(at))
    expect(await driver.find(digestAt(0))).toMatchObject({ entry: { message: 'error 0' } })
    expect(await driver.find(digestAt(299))).toMatchObject({ entry: { message: 'error 299' } })
  })

  it('finds one of many similar errors, with an example', async (driver, expect) => {
    const alike = alikeAt(10, 500, { example: digestAt(1) })
    driver.write(entryAt(1))
    driver.write(alike)
    const match = await driver.find(digestAt(400))
    expect(match).toMatchObject({ kind: 'alike', alike, example: { message: 'error 1' } })
  })

  it('finds one of many similar errors whose example has been deleted', async (driver, expect) => {
    driver.write(alikeAt(10, 5, { example: digestAt(1) }))
    expect(await driver.find(digestAt(12))).toMatchObject({ kind: 'alike', example: null })
  })

  it("prefers the server's entry if a browser reports the same digest", async (driver, expect) => {
    driver.write(entryAt(1, { phase: 'browser', message: 'forged' }))
    driver.write(entryAt(1, { message: 'true' }))
    driver.write(entryAt(1, { phase: 'browser', message: 'forged' }))
    expect(await driver.find(digestAt(1))).toMatchObject({ entry: { message: 'true' } })
  })

  it("does not throw for entries that can't be written", async (driver, expect) => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    driver.write(entryAt(1, { message: cyclic as never }))
    driver.write(entryAt(2, { message: 1n as never }))
    await driver.flush()
    expect(await driver.list()).toEqual([])
  })

  it('ignores writes after it was closed', async (driver) => {
    await driver.close()
    driver.write(entryAt(1))
    await driver.flush()
  })
}

function testLists(it: It): void {
  it('is empty at first', async (driver, expect) => {
    expect(await driver.list()).toEqual([])
    expect(await driver.groups()).toEqual([])
  })

  it('starts with the newest, regardless of the order of writing', async (driver, expect) => {
    for (const at of [2, 5, 1, 4, 3]) driver.write(entryAt(at))
    const listed = await driver.list()
    expect(listed.map(({ digest }) => digest)).toEqual([5, 4, 3, 2, 1].map(digestAt))
  })

  it('has 50 entries by default', async (driver, expect) => {
    for (let at = 0; at < 400; at++) driver.write(entryAt(at))
    expect(await driver.list()).toHaveLength(50)
    expect((await driver.list({ limit: 3 })).map(({ digest }) => digest)).toEqual(
      [399, 398, 397].map(digestAt),
    )
    expect(await driver.list({ limit: 1_000 })).toHaveLength(400)
  })

  it('can be filtered by time, route, fingerprint and phase', async (driver, expect) => {
    driver.write(entryAt(1, { route: '/b' }))
    driver.write(entryAt(2, { fingerprint: 'other' }))
    driver.write(entryAt(3, { phase: 'action' }))
    driver.write(alikeAt(4, 2))
    const listed = async (filter: Parameters<JournalDriver['list']>[0]) =>
      (await driver.list(filter)).map(({ timeMs }) => timeMs - startMs)
    expect(await listed({ sinceMs: startMs + 2 })).toEqual([3, 2])
    expect(await listed({ route: '/a' })).toEqual([3, 2])
    expect(await listed({ fingerprint: 'other' })).toEqual([2])
    expect(await listed({ phase: 'action' })).toEqual([3])
    expect(await listed({ route: '/a', phase: 'document', sinceMs: startMs })).toEqual([2])
  })
}

function testGroups(it: It): void {
  it('counts complete entries and merged ones', async (driver, expect) => {
    driver.write(entryAt(1, { fingerprint: 'one', route: '/a' }))
    driver.write(entryAt(2, { fingerprint: 'one', route: '/b' }))
    driver.write(alikeAt(3, 1_000, { fingerprint: 'one', route: '/c' }))
    driver.write(entryAt(9_000, { fingerprint: 'two', route: null }))
    const [first, second, ...others] = await driver.groups()
    expect(others).toEqual([])
    expect(first).toMatchObject({ fingerprint: 'two', count: 1, routes: [] })
    expect(second).toMatchObject({
      fingerprint: 'one',
      count: 1_002,
      firstMs: startMs + 1,
      lastMs: startMs + 1_002,
      latest: { digest: digestAt(2) },
    })
    expect(second?.routes.toSorted()).toEqual(['/a', '/b', '/c'])
  })

  it('can be filtered like a list', async (driver, expect) => {
    for (let at = 0; at < 60; at++) driver.write(entryAt(at, { fingerprint: `f${at}` }))
    expect(await driver.groups()).toHaveLength(50)
    expect(await driver.groups({ limit: 1 })).toMatchObject([{ fingerprint: 'f59' }])
    expect(await driver.groups({ sinceMs: startMs + 58 })).toHaveLength(2)
    expect(await driver.groups({ fingerprint: 'f7' })).toHaveLength(1)
  })
}

function testCounts(it: It): void {
  const countsAt = (at: number, name = 'visits'): CountsRecord => {
    const fromMs = startMs + at
    const toMs = startMs + at + 10
    return { kind: 'counts', name, fromMs, toMs, data: { list: [{ count: at, text: 'ä"' }] } }
  }

  it('returns counts as they were written, by name and time', async (driver, expect) => {
    for (const at of [10, 20, 30]) driver.write(countsAt(at))
    driver.write(countsAt(40, 'others'))
    driver.write(entryAt(50))
    const counts = await driver.counts({ name: 'visits', sinceMs: startMs + 30 })
    const sorted = counts.toSorted((a, b) => a.fromMs - b.fromMs)
    expect(sorted).toEqual([countsAt(20), countsAt(30)])
    expect(await driver.counts({ name: 'visits' })).toHaveLength(3)
    expect(await driver.counts({ name: 'none' })).toEqual([])
  })

  it('does not list counts as errors', async (driver, expect) => {
    driver.write(countsAt(10))
    driver.write(entryAt(20))
    expect(await driver.list()).toHaveLength(1)
    expect(await driver.groups()).toHaveLength(1)
    expect(await driver.find(digestAt(10))).toBeNull()
  })
}
