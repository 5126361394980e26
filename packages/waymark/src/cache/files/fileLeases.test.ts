import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import type { CacheDriver, Lease } from '../cacheDriver.ts'
import { leaseAndDie, leaseInTwoProcesses } from '../testing/twoProcesses.ts'
import { createFilesDriver } from './fileCacheDriver.ts'
import { createFileLeases, sweepLeases } from './fileLeases.ts'
import { createDegradedMode } from './privateFiles.ts'

const program = new URL('./testing/storeProgram.ts', import.meta.url)

type Options = Partial<Parameters<typeof createFilesDriver>[0]>

async function openDriver(options: Options): Promise<CacheDriver> {
  const driver = await createFilesDriver({ folder: temporaryFolder(), ...options })
  onTestFinished(() => driver.close())
  return driver
}

function openLeases(
  folder: string,
  { log = vi.fn(), ...options }: Partial<Parameters<typeof createFileLeases>[0]>,
) {
  const degraded = createDegradedMode('The cache', log)
  const leases = createFileLeases({ folder, degraded, log, ...options })
  onTestFinished(leases.close)
  return leases
}

const ttlMs = 60_000
const dayMs = 24 * 3_600_000
const leasesIn = (folder: string) =>
  readdirSync(path.join(folder, 'v1/leases')).map((name) => path.join(folder, 'v1/leases', name))

async function keep(
  driver: Pick<CacheDriver, 'lease'>,
  name: string,
  result: string,
  resultTtlMs = ttlMs,
) {
  const lease = await driver.lease(name, resultTtlMs)
  if (lease.kind !== 'ours') throw new Error(`${name} is ${lease.kind}.`)
  await lease.complete(Buffer.from(result))
}

/** Returns the result in quotes, or the kind of the lease. */
async function ask(driver: Pick<CacheDriver, 'lease'>, name: string): Promise<string> {
  const lease: Lease = await driver.lease(name, ttlMs)
  if (lease.kind !== 'done') return lease.kind
  return lease.result === null ? 'lost' : `"${Buffer.from(lease.result)}"`
}

describe('processes that share a folder', () => {
  test('cannot lease the same key, and find its result, even if they start later', async () => {
    const folder = temporaryFolder()
    const one = await openDriver({ folder })
    const two = await openDriver({ folder })
    const leases = await Promise.all([one, two, one, two].map((each) => each.lease('k', ttlMs)))
    const ours = leases.filter((each) => each.kind === 'ours')
    expect(ours).toHaveLength(1)
    await ours[0]?.complete(Buffer.from('done'))
    expect([await ask(one, 'k'), await ask(two, 'k')]).toEqual(['"done"', '"done"'])
    await one.close()
    expect(await ask(await openDriver({ folder }), 'k')).toBe('"done"')
  })

  test('get each name once, even if they lease the same names at the same time', async () => {
    const store = { program, address: temporaryFolder(), outDir: temporaryFolder() } as const
    const got = await leaseInTwoProcesses(store, 1_000)
    expect(got.every((each) => each.length > 0)).toBe(true)
    expect(got.flat().length).toBe(new Set(got.flat()).size)
  }, 20_000)

  test('take over the lease of a killed process, once', async () => {
    const folder = temporaryFolder()
    const outDir = temporaryFolder()
    await leaseAndDie({ program, address: folder, outDir })
    const leaseMs = 1_500
    const drivers = [await openDriver({ folder, leaseMs }), await openDriver({ folder, leaseMs })]
    const [one, two] = drivers as [CacheDriver, CacheDriver]
    const killed = await ask(one, 'left')
    await sleep(leaseMs + 50)
    const leases = await Promise.all([one, two, one, two].map((each) => each.lease('left', ttlMs)))
    expect(killed).toBe('running')
    expect(leases.map(({ kind }) => kind).sort()).toEqual(['ours', 'running', 'running', 'running'])
  }, 20_000)

  test('take over a lease with a shorter leaseMs sooner', async () => {
    const folder = temporaryFolder()
    const one = await openDriver({ folder })
    const two = await openDriver({ folder })
    await one.lease('k', ttlMs, 5_000)
    const [file = ''] = leasesIn(folder)
    await one.close()
    const past = new Date(Date.now() - 10_000)
    utimesSync(file, past, past)
    expect(await ask(two, 'k')).toBe('running')
    const leases = await Promise.all([two, two].map((each) => each.lease('k', ttlMs, 5_000)))
    expect(leases.map(({ kind }) => kind).sort()).toEqual(['ours', 'running'])
  })

  test('take over nothing from a living process', async () => {
    const folder = temporaryFolder()
    const leaseMs = 800
    const one = await openDriver({ folder, leaseMs })
    const two = await openDriver({ folder, leaseMs })
    expect(await ask(one, 'k')).toBe('ours')
    await sleep(leaseMs * 2)
    expect(await ask(two, 'k')).toBe('running')
  })

  test('do not wait for another process for longer than the lifetime of its result', async () => {
    const folder = temporaryFolder()
    const leaseMs = 1_200
    const one = await openDriver({ folder, leaseMs })
    expect((await one.lease('k', 800)).kind).toBe('ours')
    expect(await ask(one, 'other')).toBe('ours')
    const two = await openDriver({ folder, leaseMs })
    expect(await ask(two, 'k')).toBe('running')
    const isFree = async () => expect(await ask(two, 'k')).toBe('ours')
    await vi.waitFor(isFree, { timeout: 5_000 })
    expect(await ask(two, 'other')).toBe('running')
  })
})

describe('the files', () => {
  test.each<[string, (file: string) => void]>([
    ['was cut off', (file) => truncateSync(file, statSync(file).size - 3)],
    [
      'has a changed bit',
      (file) => {
        const text = readFileSync(file, 'latin1')
        writeFileSync(file, text.replace('first', 'firsu'), 'latin1')
      },
    ],
  ])('a result that %s does not count once its process may be dead', async (_, damage) => {
    const folder = temporaryFolder()
    const before = await openDriver({ folder })
    await keep(before, 'k', 'first')
    await before.close()
    for (const file of leasesIn(folder)) damage(file)
    const log = vi.fn()
    const after = await openDriver({ folder, log, leaseMs: 60 })
    await vi.waitFor(async () => expect(await ask(after, 'k')).toBe('ours'))
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining('is damaged')])
  })

  test('a slow owner that has lost its lease does not affect the next owner', async () => {
    const folder = temporaryFolder()
    const slow = await openDriver({ folder })
    const first = await slow.lease('k', ttlMs)
    await sleep(80)
    const next = await openDriver({ folder, leaseMs: 60 })
    const second = await next.lease('k', ttlMs)
    expect(second.kind).toBe('ours')
    if (first.kind === 'ours') await first.release()
    expect(await ask(next, 'k')).toBe('running')
    if (second.kind === 'ours') await second.complete(Buffer.from('second'))
    await sleep(80)
    expect(await ask(next, 'k')).toBe('"second"')
  })

  test('a result that has expired is removed', async () => {
    const folder = temporaryFolder()
    const driver = await openDriver({ folder, leaseMs: 120 })
    const lease = await driver.lease('k', 40)
    if (lease.kind === 'ours') await lease.complete(Buffer.from('v'))
    expect(leasesIn(folder)).toHaveLength(1)
    await vi.waitFor(() => expect(leasesIn(folder)).toEqual([]))
  })

  test('are limited, and the oldest result is removed first', async () => {
    const folder = temporaryFolder()
    const leases = openLeases(folder, { bounds: { files: 3, bytes: 10_000, lasting: 3 } })
    for (let at = 0; at < 5; at++) await keep(leases, `k${at}`, 'v')
    expect(readdirSync(folder)).toHaveLength(3)
    expect(await ask(leases, 'k4')).toBe('"v"')
    await keep(leases, 'long', 'x'.repeat(9_700))
    expect(readdirSync(folder).length).toBeLessThan(3)
  })

  test('a result that lasts for days survives its process, sweeps and floods', async () => {
    const folder = temporaryFolder()
    const bounds = { files: 3, bytes: 10_000, lasting: 4 }
    const before = openLeases(folder, { bounds, leaseMs: 60 })
    await keep(before, 'lasting', 'v', 8 * dayMs)
    await keep(before, 'short', 'v')
    for (let at = 0; at < 3; at++) await keep(before, `k${at}`, 'v')
    expect(await ask(before, 'short')).toBe('ours')
    await before.close()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * dayMs })
    onTestFinished(() => void vi.useRealTimers())
    const after = openLeases(folder, { bounds, leaseMs: 60 })
    await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1))
    expect(await ask(after, 'lasting')).toBe('"v"')
    vi.setSystemTime(Date.now() + dayMs)
    expect(await ask(after, 'lasting')).toBe('ours')
  })

  test('of long-lived results are limited, and the one that expires soonest is removed', async () => {
    const folder = temporaryFolder()
    const bounds = { files: 1, bytes: 10_000, lasting: 8 }
    const open = () => openLeases(folder, { bounds, leaseMs: 60 })
    const first = open()
    const second = open()
    for (let at = 0; at < 4; at++) await keep(first, `old${at}`, 'v', 8 * dayMs)
    await first.close()
    for (let at = 0; at < 40; at++) await keep(second, `flood${at}`, 'v', dayMs)
    await vi.waitFor(() => expect(readdirSync(folder).length).toBeLessThanOrEqual(8))
    for (let at = 0; at < 4; at++) expect(await ask(second, `old${at}`)).toBe('"v"')
  })

  test('a damaged long-lived result does not count', async () => {
    const folder = temporaryFolder()
    const log = vi.fn()
    const leases = openLeases(folder, { log })
    await keep(leases, 'k', 'first', 8 * dayMs)
    const [file = ''] = readdirSync(folder).map((name) => path.join(folder, name))
    const { mtime } = statSync(file)
    truncateSync(file, statSync(file).size - 3)
    utimesSync(file, mtime, mtime)
    expect(await ask(leases, 'k')).toBe('ours')
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining('is damaged')])
  })

  test('of dead processes are removed, but not those of a key in use', async () => {
    const folder = temporaryFolder()
    const old = ['a.0', 'a.1', 'b.0', 'c.0.1f.part']
    for (const name of [...old, 'b.1']) writeFileSync(path.join(folder, name), '')
    const past = new Date(Date.now() - 10_000)
    for (const name of old) utimesSync(path.join(folder, name), past, past)
    await sweepLeases(folder, Date.now() - 5_000, 10)
    expect(readdirSync(folder).sort()).toEqual(['b.0', 'b.1'])
  })

  test('are created again if they were removed', async () => {
    const folder = temporaryFolder()
    const one = await openDriver({ folder })
    const two = await openDriver({ folder })
    const lease = await one.lease('k', ttlMs)
    rmSync(path.join(folder, 'v1'), { recursive: true })
    expect(await ask(two, 'other')).toBe('ours')
    expect(await ask(one, 'other')).toBe('running')
    if (lease.kind === 'ours') await lease.complete(Buffer.from('v'))
    expect(await ask(two, 'k')).toBe('"v"')
  })

  test('do not exist before the first lease', async () => {
    const folder = temporaryFolder()
    await openDriver({ folder })
    expect(existsSync(path.join(folder, 'v1/leases'))).toBe(false)
  })
})

describe('a folder that cannot be written', () => {
  const refused: readonly [string, (folder: string) => void][] = [
    ['is a file', (folder) => writeFileSync(path.join(folder, 'leases'), '')],
    ['is read-only', (folder) => chmodSync(folder, 0o500)],
  ]
  test.each(refused)('because it %s breaks no lease and is logged once', async (what, refuse) => {
    if (what === 'is read-only' && process.getuid?.() === 0) return
    const folder = temporaryFolder()
    refuse(folder)
    const log = vi.fn()
    const leases = openLeases(path.join(folder, 'leases'), { log })
    for (let at = 0; at < 5; at++) await keep(leases, `k${at}`, 'v')
    const left = await leases.lease('left', ttlMs)
    if (left.kind === 'ours') await left.release()
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining("can't be written")])
  })
})
