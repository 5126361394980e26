import type { CacheDriver, CacheEntry } from 'waymark/drivers'
import { createDriverTest, type DriverTest, type TestRunner } from './testRunner.ts'

/**
 * Runs the tests that every cache driver must pass.
 * @param create returns an empty driver for a single test. The suite closes the driver after the
 * test.
 */
export function cacheDriverSuite(
  create: () => CacheDriver | Promise<CacheDriver>,
  runner: TestRunner,
): void {
  const it = createDriverTest(create, runner)
  testEntries(it)
  testTags(it)
  testLeases(it)
  testLeaseTimes(it)
}

type It = DriverTest<CacheDriver>

export function entryOf(text: string, changes: Partial<CacheEntry> = {}): CacheEntry {
  return {
    value: new TextEncoder().encode(text),
    tags: [],
    storedAtMs: Date.now(),
    revalidateAtMs: null,
    expireAtMs: null,
    position: 0,
    ...changes,
  }
}

export function entryText(entry: Pick<CacheEntry, 'value'> | null): string | null {
  return entry && new TextDecoder().decode(entry.value)
}

async function put(driver: CacheDriver, key: string, entry: CacheEntry): Promise<void> {
  await driver.set(key, { ...entry, position: driver.position() })
}

function testEntries(it: It): void {
  it('is empty at first', async (driver, expect) => {
    expect(await driver.get('a')).toBeNull()
  })

  it('returns an entry as it was written', async (driver, expect) => {
    const value = Uint8Array.from({ length: 1_000 }, (_, at) => at % 256)
    const now = Date.now()
    const times = { storedAtMs: now, revalidateAtMs: now + 60_000, expireAtMs: now + 90_000 }
    const entry = entryOf('', { value, tags: ['a', 'ä b:{c}\u2028'], ...times })
    await put(driver, 'k', entry)
    expect(await driver.get('k')).toEqual({ ...entry, position: driver.position() })
  })

  it('returns an empty value, and times that are null', async (driver, expect) => {
    await put(driver, 'k', entryOf(''))
    expect(await driver.get('k')).toMatchObject({ revalidateAtMs: null, expireAtMs: null })
    expect(entryText(await driver.get('k'))).toBe('')
  })

  it('keeps keys apart, regardless of their characters', async (driver, expect) => {
    const keys = ['a', 'A', 'a/b', '../a', 'a{b}', 'ä', 'a b', '__proto__', 'a:b', '*', 'a\\b', '']
    for (const key of keys) await put(driver, key, entryOf(`of ${key}`))
    for (const key of keys) expect(entryText(await driver.get(key))).toBe(`of ${key}`)
  })

  it('overwrites an entry, and deletes it', async (driver, expect) => {
    await put(driver, 'k', entryOf('one'))
    await put(driver, 'k', entryOf('two'))
    expect(entryText(await driver.get('k'))).toBe('two')
    await driver.delete('k')
    expect(await driver.get('k')).toBeNull()
    await driver.delete('k')
  })

  it('returns a stale entry, but not an expired one', async (driver, expect) => {
    const now = Date.now()
    await put(driver, 'stale', entryOf('s', { revalidateAtMs: now - 1 }))
    await put(driver, 'expired', entryOf('e', { expireAtMs: now - 1 }))
    await put(driver, 'soon', entryOf('e', { expireAtMs: now + 40 }))
    expect(entryText(await driver.get('stale'))).toBe('s')
    expect(await driver.get('expired')).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await driver.get('soon')).toBeNull()
  })

  it('stores a value of 2 MB', async (driver, expect) => {
    const value = new Uint8Array(2 ** 21).fill(7)
    await put(driver, 'k', entryOf('', { value }))
    expect((await driver.get('k'))?.value.byteLength).toBe(2 ** 21)
  })

  it('handles concurrent writes of one key', async (driver, expect) => {
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => put(driver, 'k', entryOf(`value ${at}`))),
    )
    expect(entryText(await driver.get('k'))).toMatch(/^value \d+$/)
  })
}

function testTags(it: It): void {
  it('marks entries with a tag as stale or deletes them, and leaves others alone', async (driver, expect) => {
    const position = driver.position()
    await driver.set('a', entryOf('a', { tags: ['one', 'both'], position }))
    await driver.set('b', entryOf('b', { tags: ['two', 'both'], position }))
    await driver.set('c', entryOf('c', { tags: ['three'], position }))
    await driver.invalidate(['one'], 'stale')
    expect(await driver.get('a')).toMatchObject({ revalidateAtMs: 0 })
    expect(await driver.get('b')).toMatchObject({ revalidateAtMs: null })
    await driver.invalidate(['both', 'unused'], 'expired')
    expect(await driver.get('a')).toBeNull()
    expect(await driver.get('b')).toBeNull()
    expect(await driver.get('c')).toMatchObject({ revalidateAtMs: null })
  })

  it('ignores an entry that was started before the invalidation and written after it', async (driver, expect) => {
    const position = driver.position()
    await driver.invalidate(['t'], 'expired')
    await driver.set('k', entryOf('old', { tags: ['t'], position }))
    expect(await driver.get('k')).toBeNull()
  })

  it('accepts an entry that was started right after the invalidation', async (driver, expect) => {
    for (let at = 0; at < 20; at++) {
      await driver.invalidate(['t'], 'expired')
      const position = driver.position()
      await driver.set('k', entryOf(`new ${at}`, { tags: ['t'], position }))
      expect(entryText(await driver.get('k'))).toBe(`new ${at}`)
    }
  })

  it("reports a tag's state for an entry without that tag", async (driver, expect) => {
    const before = { tags: ['other', 't'], position: driver.position() }
    expect(driver.freshnessByTags?.(before)).toBe('fresh')
    await driver.invalidate(['t'], 'expired')
    expect(driver.freshnessByTags?.(before)).toBe('expired')
    expect(driver.freshnessByTags?.({ ...before, tags: ['other'] })).toBe('fresh')
    expect(driver.freshnessByTags?.({ ...before, position: driver.position() })).toBe('fresh')
  })

  it('does not notify a process of its own invalidations', async (driver, expect) => {
    const notified: unknown[] = []
    const stop = driver.onInvalidated((invalidation) => notified.push(invalidation))
    await driver.invalidate(['t'], 'stale')
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(notified).toEqual([])
    stop()
  })
}

const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251)

async function acquire(driver: CacheDriver, name: string, ttlMs = 5_000) {
  const lease = await driver.lease(name, ttlMs)
  if (lease.kind !== 'ours') throw new Error(`It is ${lease.kind}.`)
  return lease
}

function testLeases(it: It): void {
  it('gives a lease to one of many concurrent callers, and the result to all others', async (driver, expect) => {
    const leases = await Promise.all(Array.from({ length: 20 }, () => driver.lease('k', 5_000)))
    const ours = leases.filter((each) => each.kind === 'ours')
    expect(ours).toHaveLength(1)
    expect(leases.filter(({ kind }) => kind === 'running')).toHaveLength(19)
    expect((await driver.lease('k', 5_000)).kind).toBe('running')
    await ours[0]?.complete(bytes(10))
    const again = await Promise.all([driver.lease('k', 5_000), driver.lease('k', 5_000)])
    for (const each of again) {
      expect(each.kind === 'done' && each.result && [...each.result]).toEqual([...bytes(10)])
    }
  })

  it('gives up a result that its process has evicted', async (driver, expect) => {
    const daysMs = 8 * 24 * 3_600_000
    const lease = await acquire(driver, 'k', daysMs)
    if (!lease.withdraw) return
    await lease.withdraw()
    expect((await driver.lease('k', daysMs)).kind).toBe('running')
    await lease.complete(bytes(10))
    expect((await driver.lease('k', daysMs)).kind).toBe('done')
    await lease.withdraw()
    const again = await acquire(driver, 'k', daysMs)
    await again.complete(bytes(20))
    await lease.release()
    expect((await driver.lease('k', daysMs)).kind).toBe('done')
  })

  it("leases a released name again, which its previous holder can't release", async (driver, expect) => {
    const first = await acquire(driver, 'k')
    await first.release()
    const second = await acquire(driver, 'k')
    await first.release()
    expect((await driver.lease('k', 5_000, 1_000)).kind).toBe('running')
    await (await acquire(driver, 'other')).release()
    await second.release()
    await (await acquire(driver, 'k')).release()
  })

  it('returns results unchanged, including long ones', async (driver, expect) => {
    for (const length of [0, 1, 8_192, 8_193, 1_000_000]) {
      await (await acquire(driver, `of ${length}`)).complete(bytes(length))
      const done = await driver.lease(`of ${length}`, 5_000)
      const isSame =
        done.kind === 'done' &&
        done.result &&
        bytes(length).every((byte, at) => done.result?.[at] === byte)
      expect([isSame, done.kind === 'done' && done.result?.byteLength]).toEqual([true, length])
    }
  })

  it('keeps names apart, regardless of their characters', async (driver, expect) => {
    const names = ['a', 'A', 'a/b', '../a', 'a b', 'a{b}', 'ä', '__proto__', '-', 'a\nb', '']
    for (const name of names)
      await (await acquire(driver, name)).complete(Buffer.from(`of ${name}`))
    for (const name of names) {
      const done = await driver.lease(name, 5_000)
      expect(done.kind === 'done' && Buffer.from(done.result ?? []).toString()).toBe(`of ${name}`)
    }
  })
}

function testLeaseTimes(it: It): void {
  it('deletes a result after its time', async (driver, expect) => {
    await (await acquire(driver, 'k', 400)).complete(bytes(3))
    expect((await driver.lease('k', 400)).kind).toBe('done')
    await new Promise((resolve) => setTimeout(resolve, 450))
    await (await acquire(driver, 'k')).complete(bytes(4))
    expect(await driver.lease('k', 5_000)).toMatchObject({ kind: 'done' })
  })

  it('keeps a result for the given time, which may be days', async (driver, expect) => {
    const daysMs = 8 * 24 * 3_600_000
    await (await acquire(driver, 'days', daysMs)).complete(bytes(3))
    await (await acquire(driver, 'short', 400)).complete(bytes(3))
    await (await acquire(driver, 'days too', daysMs)).complete(bytes(3))
    await new Promise((resolve) => setTimeout(resolve, 450))
    expect((await driver.lease('days', daysMs)).kind).toBe('done')
    expect((await driver.lease('days too', daysMs)).kind).toBe('done')
    expect((await driver.lease('short', 400)).kind).toBe('ours')
  })
}
