import { describe, expect, test } from 'vitest'
import type { JournalDriver } from '../journalDriver.ts'
import { alikeAt, digestAt, entryAt, startMs } from './records.ts'

/** Makes an empty journal; the suite closes it. */
export type CreateDriver = () => JournalDriver | Promise<JournalDriver>

/** What every journal driver does. */
export function describeDriver(name: string, create: CreateDriver): void {
  /** A test with a journal of its own. */
  const it = (what: string, run: (driver: JournalDriver) => Promise<void>) =>
    test(what, async () => {
      const driver = await create()
      await run(driver)
      await driver.close()
    })

  describe(`${name}, written and found`, () => describeFinding(it))
  describe(`${name}, listed`, () => describeLists(it))
  describe(`${name}, grouped`, () => describeGroups(it))
}

type It = (what: string, run: (driver: JournalDriver) => Promise<void>) => void

function describeFinding(it: It): void {
  it('gives an entry back as it was written', async (driver) => {
    const entry = entryAt(1, { message: 'äöü 👩‍👩‍👧 "\\ \n\u2028', causes: [], status: 500 })
    driver.write(entry)
    expect(await driver.find(entry.digest)).toEqual({ kind: 'whole', entry })
  })

  it('finds nothing for a digest that it does not hold', async (driver) => {
    expect(await driver.find(digestAt(1))).toBeNull()
    driver.write(entryAt(2, { message: `mentions ${digestAt(1)}` }))
    expect(await driver.find(digestAt(1))).toBeNull()
  })

  it('finds the first and the last of many', async (driver) => {
    for (let at = 0; at < 300; at++) driver.write(entryAt(at))
    expect(await driver.find(digestAt(0))).toMatchObject({ entry: { message: 'error 0' } })
    expect(await driver.find(digestAt(299))).toMatchObject({ entry: { message: 'error 299' } })
  })

  it('finds one of many alike, with an example', async (driver) => {
    const alike = alikeAt(10, 500, { example: digestAt(1) })
    driver.write(entryAt(1))
    driver.write(alike)
    const found = await driver.find(digestAt(400))
    expect(found).toMatchObject({ kind: 'alike', alike, example: { message: 'error 1' } })
  })

  it('finds one of many alike whose example is gone', async (driver) => {
    driver.write(alikeAt(10, 5, { example: digestAt(1) }))
    expect(await driver.find(digestAt(12))).toMatchObject({ kind: 'alike', example: null })
  })

  it('believes the server when a browser has taken its digest', async (driver) => {
    driver.write(entryAt(1, { phase: 'browser', message: 'forged' }))
    driver.write(entryAt(1, { message: 'true' }))
    driver.write(entryAt(1, { phase: 'browser', message: 'forged' }))
    expect(await driver.find(digestAt(1))).toMatchObject({ entry: { message: 'true' } })
  })

  it('does not throw for what can not be written', async (driver) => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    driver.write(entryAt(1, { message: cyclic as never }))
    driver.write(entryAt(2, { message: 1n as never }))
    await driver.flush()
    expect(await driver.list()).toEqual([])
  })

  it('takes what is written after its end without an error', async (driver) => {
    await driver.close()
    driver.write(entryAt(1))
    await driver.flush()
  })
}

function describeLists(it: It): void {
  it('is empty at first', async (driver) => {
    expect(await driver.list()).toEqual([])
    expect(await driver.groups()).toEqual([])
  })

  it('begins with the newest, in whatever order they were written', async (driver) => {
    for (const at of [2, 5, 1, 4, 3]) driver.write(entryAt(at))
    const listed = await driver.list()
    expect(listed.map(({ digest }) => digest)).toEqual([5, 4, 3, 2, 1].map(digestAt))
  })

  it('holds 50 unless asked for more', async (driver) => {
    for (let at = 0; at < 400; at++) driver.write(entryAt(at))
    expect(await driver.list()).toHaveLength(50)
    expect((await driver.list({ limit: 3 })).map(({ digest }) => digest)).toEqual(
      [399, 398, 397].map(digestAt),
    )
    expect(await driver.list({ limit: 1_000 })).toHaveLength(400)
  })

  it('is limited by time, route, fingerprint and phase', async (driver) => {
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

function describeGroups(it: It): void {
  it('counts what was kept whole and what was not', async (driver) => {
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

  it('is limited like a list', async (driver) => {
    for (let at = 0; at < 60; at++) driver.write(entryAt(at, { fingerprint: `f${at}` }))
    expect(await driver.groups()).toHaveLength(50)
    expect(await driver.groups({ limit: 1 })).toMatchObject([{ fingerprint: 'f59' }])
    expect(await driver.groups({ sinceMs: startMs + 58 })).toHaveLength(2)
    expect(await driver.groups({ fingerprint: 'f7' })).toHaveLength(1)
  })
}
