import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { entryOf, entryText } from '../../../testing/src/drivers/cacheDriverSuite.ts'
import { eventually } from '../shared/testing/processes.ts'
import { createCache } from './cache.ts'
import { createFilesDriver } from './files/fileCacheDriver.ts'
import { createMemoryDriver } from './memoryCacheDriver.ts'

const disk = vi.hoisted(() => ({ isFull: false }))

// Behaves like a full disk: a file is created but gets no content.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  return {
    ...real,
    async writeFile(...[file, data, options]: Parameters<typeof real.writeFile>) {
      await real.writeFile(file, disk.isFull ? '' : data, options)
      if (disk.isFull) throw full()
    },
    async appendFile(...[file, data, options]: Parameters<typeof real.appendFile>) {
      if (disk.isFull) throw full()
      await real.appendFile(file, data, options)
    },
  }
})

function setUp() {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-full-'))
  const log = vi.fn()
  onTestFinished(() => {
    disk.isFull = false
    rmSync(folder, { recursive: true, force: true })
  })
  const open = async () => {
    const driver = await createFilesDriver({ folder, log, catchUpMs: 20, leaseMs: 1_800 })
    onTestFinished(() => driver.close())
    return driver
  }
  return { open, log }
}

test('a full disk is logged once, and again when it can be written', async () => {
  const { open, log } = setUp()
  const driver = await open()
  await driver.set('old', entryOf('old', { position: driver.position() }))
  disk.isFull = true
  for (let at = 0; at < 5; at++) await driver.set(`k${at}`, entryOf('v'))
  expect((await driver.lease('k', 1_000)).kind).toBe('ours')
  expect(entryText(await driver.get('old'))).toBe('old')
  expect(await driver.get('k0')).toBeNull()
  disk.isFull = false
  await driver.set('new', entryOf('new', { position: driver.position() }))
  expect(entryText(await driver.get('new'))).toBe('new')
  expect(log.mock.calls.flat()).toEqual([
    expect.stringContaining("can't be written: ENOSPC"),
    expect.stringContaining('can be written again'),
  ])
})

test('entries that are invalidated while the disk is full are not returned', async () => {
  const { open } = setUp()
  const one = await open()
  const two = await open()
  const cache = createCache({ memory: createMemoryDriver(), report: vi.fn() })
  cache.attach(one)
  let count = 0
  const read = async () => {
    const { value } = await cache.read('k', async () => {
      const never = { revalidateSeconds: null, expireSeconds: null }
      return { value: Buffer.from(`${++count}`), tags: ['t'], isShared: true, ...never }
    })
    return Buffer.from(value).toString()
  }
  expect(await read()).toBe('1')
  await eventually(async () => expect(entryText(await two.get('k'))).toBe('1'))
  disk.isFull = true
  await cache.invalidate(['t'], 'expired')
  expect(await read()).toBe('2')
  // Other processes learn about the invalidation once the disk can be written.
  disk.isFull = false
  await eventually(async () => expect(entryText(await two.get('k'))).not.toBe('1'))
})

test('leases work on a full disk, and their results are stored later', async () => {
  const { open, log } = setUp()
  const one = await open()
  const two = await open()
  const before = await one.lease('before', 60_000)
  disk.isFull = true
  for (const driver of [one, two]) {
    const meanwhile = await driver.lease('meanwhile', 60_000)
    // While the disk is full, each process gets its own lease.
    expect(meanwhile.kind).toBe('ours')
    if (meanwhile.kind === 'ours') await meanwhile.complete(Buffer.from('meanwhile'))
  }
  if (before.kind === 'ours') await before.complete(Buffer.from('before'))
  expect((await two.lease('before', 60_000)).kind).toBe('running')
  disk.isFull = false
  const isShared = async () => {
    const lease = await two.lease('before', 60_000)
    expect(lease).toEqual({ kind: 'done', result: new Uint8Array(Buffer.from('before')) })
  }
  await vi.waitFor(isShared, { timeout: 5_000 })
  expect((await two.lease('next', 60_000)).kind).toBe('ours')
  expect((await one.lease('next', 60_000)).kind).toBe('running')
  const loggedLines = () =>
    log.mock.calls.flat().map((line) => /can't be written|again/.exec(line)?.[0])
  // Each line occurs twice, because both processes log it.
  const all = ['again', 'again', "can't be written", "can't be written"]
  await vi.waitFor(() => expect(loggedLines().sort()).toEqual(all), { timeout: 5_000 })
})
