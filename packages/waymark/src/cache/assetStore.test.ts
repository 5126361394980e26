import { expect, test } from 'vitest'
import { createAssetStore, maxBuildBytes } from './assetStore.ts'
import type { CacheDriver } from './cacheDriver.ts'
import { createMemoryDriver as createMemory } from './memoryCacheDriver.ts'

const createMemoryDriver = (now: () => number = Date.now): CacheDriver => ({
  ...createMemory({ now }),
  close: async () => {},
})

const build = (buildId: string, files: Readonly<Record<string, string | Uint8Array>>) => ({
  buildId,
  files: Object.entries(files).map(([name, content]) => {
    const bytes = Buffer.from(content)
    return { name, size: bytes.byteLength, read: async () => bytes }
  }),
})

/** Wraps a driver and records the keys that are read. */
function countReads(driver: CacheDriver) {
  const reads: string[] = []
  const get = (key: string) => {
    reads.push(key)
    return driver.get(key)
  }
  return { driver: { ...driver, get }, reads }
}

const textOf = async (store: ReturnType<typeof createAssetStore>, name: string) => {
  const hash = (await store.list()).get(name)
  const bytes = hash === undefined ? null : await store.read(hash)
  return bytes && new TextDecoder().decode(bytes)
}

test('a server finds the assets of all published builds', async () => {
  const driver = createMemoryDriver()
  const one = createAssetStore(driver)
  const two = createAssetStore(driver)
  expect(await one.publish(build('a', { 'a-1.js': 'a', 'c-1.js': 'c' }))).toBe(true)
  expect(await two.publish(build('b', { 'b-1.js': 'b', 'c-1.js': 'c' }))).toBe(true)
  const third = createAssetStore(driver)
  expect(
    await Promise.all(['a-1.js', 'b-1.js', 'c-1.js', 'd.js'].map((n) => textOf(third, n))),
  ).toEqual(['a', 'b', 'c', null])
})

test('builds that are published at the same time are all listed', async () => {
  const driver = createMemoryDriver()
  const ids = ['a', 'b', 'c']
  await Promise.all(
    ids.map((id) => createAssetStore(driver).publish(build(id, { [`${id}.js`]: id }))),
  )
  expect([...(await createAssetStore(driver).list()).keys()].sort()).toEqual([
    'a.js',
    'b.js',
    'c.js',
  ])
})

test('content with another hash than in the list is not returned', async () => {
  const driver = createMemoryDriver()
  const store = createAssetStore(driver)
  await store.publish(build('a', { 'a-1.js': 'a' }))
  const hash = (await store.list()).get('a-1.js') ?? ''
  const entry = await driver.get(`waymark asset v1 ${hash}`)
  if (entry) await driver.set(`waymark asset v1 ${hash}`, { ...entry, value: Buffer.from('evil') })
  expect(entry).not.toBeNull()
  expect(await store.read(hash)).toBeNull()
})

test('the list is read at most once a second', async () => {
  let nowMs = 1_000_000
  const { driver, reads } = countReads(createMemoryDriver(() => nowMs))
  const store = createAssetStore(driver, () => nowMs)
  for (let n = 0; n < 100; n++) await store.list()
  await Promise.all(Array.from({ length: 100 }, () => store.list()))
  expect(reads.length).toBe(1)
  nowMs += 1_000
  await Promise.all(Array.from({ length: 100 }, () => store.list()))
  expect(reads.length).toBe(2)
})

test('files beyond the limit are left out, and the oldest builds are dropped', async () => {
  const store = createAssetStore(createMemoryDriver())
  const large = new Uint8Array(maxBuildBytes - 2)
  await store.publish(build('a', { 'a.js': 'abc', 'large.png': large, 'b.png': 'b' }))
  expect([...(await store.list()).keys()]).toEqual(['a.js', 'b.png'])
  const later = createAssetStore(createMemoryDriver())
  for (const id of ['a', 'b', 'c', 'd', 'e']) await later.publish(build(id, { [`${id}.js`]: id }))
  expect([...(await later.list()).keys()].sort()).toEqual(['b.js', 'c.js', 'd.js', 'e.js'])
})

test('a build is stored again only after half a day', async () => {
  let nowMs = 1_000_000
  const driver = createMemoryDriver(() => nowMs)
  const store = createAssetStore(driver, () => nowMs)
  const first = build('a', { 'a.js': 'a' })
  await store.publish(first)
  const hash = (await store.list()).get('a.js') ?? ''
  await driver.delete(`waymark asset v1 ${hash}`)
  await store.publish(first)
  expect(await store.read(hash)).toBeNull()
  nowMs += 12 * 3_600_000
  await store.publish(first)
  expect(await store.read(hash)).not.toBeNull()
})

test('publish returns false if the store takes nothing', async () => {
  const empty = { ...createMemoryDriver(), set() {} }
  expect(await createAssetStore(empty).publish(build('a', { 'a.js': 'a' }))).toBe(false)
})
