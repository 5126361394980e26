import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cacheDriverSuite, entryOf, entryText } from '../../testing/src/drivers/cacheDriverSuite.ts'
import { createKvCache, type KvCacheOptions } from './kvCacheDriver.ts'
import { createStateClient } from './stateClient.ts'
import { createKvEmulator, type StateServer, startStateServer } from './testing/stateServer.ts'

let server: StateServer
beforeAll(async () => {
  server = await startStateServer()
})
afterAll(() => server.stop())

/** Opens a cache as one isolate does. */
async function open(options: Partial<KvCacheOptions> & { readonly name?: string } = {}) {
  const { name = randomUUID(), ...others } = options
  const call = createStateClient(server.namespace(name))
  const driver = createKvCache({ kv: createKvEmulator(), call, ...others })
  await driver.catchUp?.()
  return driver
}

/** Opens the caches of two isolates of one app. */
async function openTwo(kv = createKvEmulator()) {
  const name = randomUUID()
  return [await open({ name, kv }), await open({ name, kv })] as const
}

describe('a cache in KV', () => cacheDriverSuite(() => open(), { test, expect }))

test('an invalidation applies to entries of other isolates', async () => {
  const [one, two] = await openTwo()
  await one.set('k', entryOf('old', { tags: ['t'], position: one.position() }))
  expect(entryText(await two.get('k'))).toBe('old')
  await one.invalidate(['t'], 'expired')
  await two.catchUp?.()
  expect(await two.get('k')).toBeNull()
})

test('an isolate is behind until it has asked for invalidations, and again after a while', async () => {
  const call = createStateClient(server.namespace(randomUUID()))
  const driver = createKvCache({ kv: createKvEmulator(), call, invalidationDelayMs: 600 })
  expect(driver.isBehind?.()).toBe(true)
  await driver.catchUp?.()
  expect(driver.isBehind?.()).toBe(false)
  await expect.poll(() => driver.isBehind?.()).toBe(true)
})

test('a listener learns of the tags that another isolate has invalidated', async () => {
  const [one, two] = await openTwo()
  const notified: unknown[] = []
  two.onInvalidated((invalidation) => notified.push(invalidation))
  await one.invalidate(['a', 'b'], 'stale')
  await two.catchUp?.()
  expect(notified).toEqual([
    { tags: ['a'], mode: 'stale' },
    { tags: ['b'], mode: 'stale' },
  ])
})

test('an old value that KV returns after an invalidation is not used', async () => {
  const kv = createKvEmulator(150)
  const [one, two] = await openTwo(kv)
  await one.set('k', entryOf('old', { tags: ['t'], position: one.position() }))
  await expect.poll(async () => entryText(await two.get('k'))).toBe('old')
  await one.invalidate(['t'], 'expired')
  await one.set('k', entryOf('new', { tags: ['t'], position: one.position() }))
  await two.catchUp?.()
  // KV still returns the old value for a moment.
  expect(await two.get('k')).toBeNull()
  await expect.poll(async () => entryText(await two.get('k'))).toBe('new')
})

test('an isolate reads its own writes while KV does not return them yet', async () => {
  const driver = await open({ kv: createKvEmulator(60_000) })
  await driver.set('k', entryOf('mine', { position: driver.position() }))
  expect(entryText(await driver.get('k'))).toBe('mine')
})

test('an isolate reads what it has overwritten, while KV returns the older value', async () => {
  const driver = await open({ kv: createKvEmulator(150) })
  await driver.set('k', entryOf('one', { position: driver.position() }))
  await new Promise((resolve) => setTimeout(resolve, 200))
  await driver.set('k', entryOf('two', { position: driver.position() }))
  expect(entryText(await driver.get('k'))).toBe('two')
})

test('entries from before the dropped tags count as invalidated', async () => {
  const [one, two] = await openTwo()
  await one.set('k', entryOf('old', { tags: ['t'], position: one.position() }))
  for (let batch = 0; batch < 11; batch++) {
    const tags = Array.from({ length: 1_000 }, (_, at) => `tag ${batch} ${at}`)
    await one.invalidate(tags, 'stale')
  }
  const position = one.position()
  await one.set('new', entryOf('new', { tags: ['t'], position }))
  await two.catchUp?.()
  expect(await two.get('k')).toMatchObject({ revalidateAtMs: 0 })
  expect(await two.get('new')).toMatchObject({ revalidateAtMs: null })
})

test('a deleted entry is not returned, although KV still has it elsewhere', async () => {
  const kv = createKvEmulator(150)
  const [one, two] = await openTwo(kv)
  await one.set('k', entryOf('old', { position: one.position() }))
  await expect.poll(async () => entryText(await two.get('k'))).toBe('old')
  await one.delete('k')
  await two.catchUp?.()
  expect(await two.get('k')).toBeNull()
})

test("a page of the build isn't written to KV, and follows invalidations since the build", async () => {
  const kv = createKvEmulator()
  const [one, two] = await openTwo(kv)
  const builtAtMs = Date.now()
  const page = entryOf('built', { tags: ['t'], storedAtMs: builtAtMs })
  await one.set('page', page)
  expect(kv.size()).toBe(0)
  expect(await one.get('page')).toMatchObject({ revalidateAtMs: null })
  await two.invalidate(['t'], 'stale')
  const third = await open({ kv, name: randomUUID() })
  await third.set('page', page)
  expect(await third.get('page')).toMatchObject({ revalidateAtMs: null })
  await one.catchUp?.()
  expect(await one.get('page')).toMatchObject({ revalidateAtMs: 0 })
})

test('entries from before the log began count as stale', async () => {
  const kv = createKvEmulator()
  const first = await open({ kv })
  await first.set('k', entryOf('old', { position: first.position() }))
  // A different object stands for one whose database was lost.
  const second = await open({ kv })
  expect(await second.get('k')).toMatchObject({ revalidateAtMs: 0 })
})

test('an isolate that is ahead of the log treats older entries as stale', async () => {
  const kv = createKvEmulator()
  const call = createStateClient(server.namespace(randomUUID()))
  const ahead = (Date.now() + 60_000) * 1_000
  const read = await call('readInvalidations', { after: ahead })
  expect(read.position).toBeGreaterThan(ahead)
  expect(read.begun).toBe(read.position)
  expect(kv.size()).toBe(0)
})

test('without the Durable Object, an isolate works alone and logs this once', async () => {
  const lines: string[] = []
  const driver = createKvCache({
    kv: createKvEmulator(),
    call: () => Promise.reject(new Error('no route')),
    log: (line) => lines.push(line),
  })
  await driver.catchUp?.()
  expect((await driver.lease('k', 1_000)).kind).toBe('ours')
  await driver.set('k', entryOf('value', { tags: ['t'], position: 5 }))
  expect(entryText(await driver.get('k'))).toBe('value')
  await driver.invalidate(['t'], 'expired')
  expect(await driver.get('k')).toBeNull()
  expect(lines).toEqual([expect.stringContaining('no route')])
})

test('while the invalidations are unknown, an entry in KV is not used', async () => {
  const kv = createKvEmulator()
  const call = createStateClient(server.namespace(randomUUID()))
  let isAway = false
  const driver = createKvCache({
    kv,
    call: (name, input) => (isAway ? Promise.reject(new Error('no route')) : call(name, input)),
    log: () => {},
  })
  await driver.catchUp?.()
  const other = createKvCache({ kv, call })
  await other.catchUp?.()
  await other.set('k', entryOf('old', { tags: ['t'], position: other.position() }))
  isAway = true
  await other.invalidate(['t'], 'expired')
  await driver.catchUp?.()
  expect(await driver.get('k')).toBeNull()
  isAway = false
  await driver.catchUp?.()
  expect(await driver.get('k')).toBeNull()
  await other.set('k', entryOf('new', { tags: ['t'], position: other.position() }))
  expect(entryText(await driver.get('k'))).toBe('new')
})

test('a new isolate without the Durable Object uses no entry of KV', async () => {
  const kv = createKvEmulator()
  const other = await open({ kv })
  await other.set('k', entryOf('old', { tags: ['t'], position: other.position() }))
  await other.invalidate(['t'], 'expired')
  const call = () => Promise.reject(new Error('no route'))
  const driver = createKvCache({ kv, call, log: () => {} })
  await driver.catchUp?.()
  expect(await driver.get('k')).toBeNull()
})

test('without KV, an isolate uses its own entries and logs this once', async () => {
  const lines: string[] = []
  const broken = () => Promise.reject(new Error('KV is full'))
  const driver = await open({
    kv: { get: broken, put: broken, delete: broken },
    log: (line) => lines.push(line),
  })
  await driver.set('k', entryOf('value', { position: driver.position() }))
  expect(entryText(await driver.get('k'))).toBe('value')
  expect(await driver.get('other')).toBeNull()
  await driver.delete('k')
  expect(await driver.get('k')).toBeNull()
  expect(lines).toHaveLength(1)
})

test('one of many isolates gets a lease, and the others its result', async () => {
  const name = randomUUID()
  const isolates = await Promise.all(Array.from({ length: 5 }, () => open({ name })))
  const leases = await Promise.all(isolates.map((isolate) => isolate.lease('k', 5_000)))
  const ours = leases.filter((lease) => lease.kind === 'ours')
  expect(ours).toHaveLength(1)
  await ours[0]?.complete(new Uint8Array([1, 2, 3]))
  for (const isolate of isolates) {
    expect(await isolate.lease('k', 5_000)).toMatchObject({ kind: 'done' })
  }
})

test('the lease of an isolate that was ended is free after its time', async () => {
  const [one, two] = await openTwo()
  const call = createStateClient(server.namespace('ended'))
  await call('lease', { key: 'k', owner: 'ended', leaseMs: 50 })
  const lease = () => call('lease', { key: 'k', owner: 'next', leaseMs: 50 })
  expect(await lease()).toEqual({ kind: 'running' })
  await expect.poll(lease).toEqual({ kind: 'ours' })
  await Promise.all([one.close(), two.close()])
})
