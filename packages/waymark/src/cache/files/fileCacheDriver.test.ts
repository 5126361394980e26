import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  cacheDriverSuite,
  entryOf,
  entryText,
} from '../../../../testing/src/drivers/cacheDriverSuite.ts'
import { eventually } from '../../shared/testing/processes.ts'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import type { CacheDriver } from '../cacheDriver.ts'
import { runTwoProcesses } from '../testing/twoProcesses.ts'
import { createFilesDriver, sweep } from './fileCacheDriver.ts'

const program = new URL('./testing/storeProgram.ts', import.meta.url)

async function openDriver(
  options: Partial<Parameters<typeof createFilesDriver>[0]> = {},
): Promise<CacheDriver> {
  const driver = await createFilesDriver({ folder: temporaryFolder(), ...options })
  onTestFinished(() => driver.close())
  return driver
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => path.join(each.parentPath, each.name))

const entriesIn = (folder: string) => filesIn(path.join(folder, 'v1/entries'))

const bytesIn = (folder: string) =>
  filesIn(folder).reduce((sum, file) => sum + Math.ceil(statSync(file).size / 4_096) * 4_096, 0)

describe('the files driver', () => cacheDriverSuite(() => openDriver(), { test, expect }))

describe('a folder', () => {
  test('is accessible only for its owner, including its content', async () => {
    const folder = temporaryFolder()
    // Create the folder with the mode that an older version of Waymark used.
    mkdirSync(path.join(folder, 'v1/entries'), { recursive: true, mode: 0o755 })
    const driver = await openDriver({ folder })
    await driver.set('k', entryOf('kept', { tags: ['t'], position: driver.position() }))
    await driver.invalidate(['t'], 'stale')
    await driver.lease('running', 1_000)
    for (const [key, bytes] of [
      ['short', 10],
      ['long', 10_000],
    ] as const) {
      const lease = await driver.lease(key, 10_000)
      if (lease.kind === 'ours') await lease.complete(Buffer.alloc(bytes))
    }
    const all = readdirSync(path.join(folder, 'v1'), { recursive: true, withFileTypes: true })
    const modes = all.map((each) => {
      const { mode } = statSync(path.join(each.parentPath, each.name))
      return `${each.isDirectory() ? 'folder' : 'file'} ${(mode & 0o777).toString(8)}`
    })
    expect(modes.length).toBe(8)
    expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']))
    expect(statSync(path.join(folder, 'v1')).mode & 0o777).toBe(0o700)
  })

  test('does not restrict the folder around it', async () => {
    const around = path.join(temporaryFolder(), 'build')
    await openDriver({ folder: path.join(around, 'cache') })
    const modeOf = (folder: string) => statSync(folder).mode & 0o777
    expect(modeOf(around)).toBe(0o777 & ~process.umask())
    expect(modeOf(path.join(around, 'cache'))).toBe(0o700)
  })

  test('keeps its entries for the next process', async () => {
    const folder = temporaryFolder()
    const before = await openDriver({ folder })
    await before.set('k', entryOf('kept', { tags: ['t'], position: before.position() }))
    await before.set('gone', entryOf('gone', { tags: ['u'], position: before.position() }))
    await before.invalidate(['u'], 'expired')
    await before.close()
    const after = await openDriver({ folder })
    expect(entryText(await after.get('k'))).toBe('kept')
    expect(await after.get('gone')).toBeNull()
  })

  test('accepts entries of a build unless they were invalidated since', async () => {
    const folder = temporaryFolder()
    const first = await openDriver({ folder })
    const built = () => entryOf('built', { tags: ['t'], position: 0 })
    await first.set('k', built())
    expect(entryText(await first.get('k'))).toBe('built')
    await first.invalidate(['t'], 'expired')
    expect(await first.get('k')).toBeNull()
    await first.close()
    const next = await openDriver({ folder })
    await next.set('k', built())
    expect(await next.get('k')).toBeNull()
    await next.set('other', entryOf('built', { tags: ['u'], position: 0 }))
    expect(entryText(await next.get('other'))).toBe('built')
  })

  test('is shared by two processes that see each other’s invalidations', async () => {
    const folder = temporaryFolder()
    const one = await openDriver({ folder, catchUpMs: 20 })
    const two = await openDriver({ folder, catchUpMs: 20 })
    const heard: unknown[] = []
    two.onInvalidated((invalidation) => heard.push(invalidation))
    await one.set('k', entryOf('v', { tags: ['t'], position: one.position() }))
    expect(entryText(await two.get('k'))).toBe('v')
    await one.invalidate(['t'], 'stale')
    expect(await two.get('k')).toMatchObject({ revalidateAtMs: 0 })
    await eventually(() => expect(heard).toEqual([{ tags: ['t'], mode: 'stale' }]))
  })

  test('notices that the process was frozen, and reads what it has missed', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const folder = temporaryFolder()
    const one = await openDriver({ folder })
    const frozen = await openDriver({ folder })
    const heard: unknown[] = []
    frozen.onInvalidated((invalidation) => heard.push(invalidation))
    await one.invalidate(['t'], 'expired')
    expect(frozen.isBehind?.()).toBe(false)
    // Move the clock without running the timers, which is what a frozen process finds.
    vi.setSystemTime(Date.now() + 1_000)
    expect(frozen.isBehind?.()).toBe(true)
    await frozen.catchUp?.()
    expect(heard).toEqual([{ tags: ['t'], mode: 'expired' }])
    expect(frozen.isBehind?.()).toBe(false)
  })

  test('can be written and read by two real processes at the same time', async () => {
    const folder = temporaryFolder()
    const store = { program, address: folder, outDir: temporaryFolder() } as const
    const reports = await runTwoProcesses(store, { keys: 5, ms: 1_000 })
    for (const { reads, problems, lines } of reports) {
      expect([problems, lines]).toEqual([[], []])
      expect(reads.local).toBeGreaterThan(0)
      expect(reads.others).toBeGreaterThan(0)
    }
    const third = await openDriver({ folder })
    for (const key of [0, 1, 2, 3, 4]) {
      const [title] = String(entryText(await third.get(`k${key}`))).split('\n')
      expect(reports.map(({ last }) => last[key])).toContain(title)
    }
    expect(filesIn(folder).filter((file) => file.endsWith('.part'))).toEqual([])
  }, 20_000)

  test('accepts many simultaneous invalidations and starts new files', async () => {
    const folder = temporaryFolder()
    const drivers = [await openDriver({ folder }), await openDriver({ folder })] as const
    const [one, two] = drivers
    const tag = 'x'.repeat(150)
    await one.set('old', entryOf('old', { tags: ['never'], position: one.position() }))
    for (let at = 0; at < 40; at++) {
      const tags = Array.from({ length: 400 }, (_, index) => `${tag} ${at} ${index}`)
      const position = one.position()
      await one.set(`k${at}`, entryOf('v', { tags: [`${tag} ${at} 7`], position }))
      await drivers[at % 2]?.invalidate(tags, 'expired')
      expect(await one.get(`k${at}`)).toBeNull()
      expect(await two.get(`k${at}`)).toBeNull()
      await one.set(
        `k${at}`,
        entryOf('new', { tags: [`${tag} ${at} 7`], position: one.position() }),
      )
      expect(entryText(await one.get(`k${at}`))).toBe('new')
    }
    const logs = readdirSync(path.join(folder, 'v1')).filter((name) => name.endsWith('.log'))
    expect(logs.length).toBeLessThanOrEqual(3)
    const later = await openDriver({ folder })
    expect(await later.get('old')).toBeNull()
  })

  test('still works after it was emptied', async () => {
    const folder = temporaryFolder()
    const driver = await openDriver({ folder })
    await driver.invalidate(['a'], 'stale')
    rmSync(path.join(folder, 'v1'), { recursive: true })
    expect(await driver.get('k')).toBeNull()
    await driver.set('k', entryOf('v', { position: driver.position() }))
    await driver.invalidate(['a'], 'stale')
  })

  test('stays within its limit and keeps recently used entries', async () => {
    const folder = temporaryFolder()
    const maxBytes = 4_096 * 64
    const driver = await openDriver({ folder, maxBytes })
    for (let at = 0; at < 300; at++) {
      await driver.set(`k${at}`, entryOf('x'.repeat(3_000), { position: driver.position() }))
    }
    await driver.close()
    await sweep(path.join(folder, 'v1/entries'), maxBytes, Date.now())
    expect(bytesIn(path.join(folder, 'v1/entries'))).toBeLessThanOrEqual(maxBytes)
    expect(entryText(await driver.get('k299'))).not.toBeNull()
  })
})

describe('an entry in a file', () => {
  async function damaged(damage: (file: string) => void) {
    const folder = temporaryFolder()
    const log = vi.fn()
    const driver = await openDriver({ folder, log })
    await driver.set('k', entryOf('some text that is long enough', { position: driver.position() }))
    const [file = ''] = entriesIn(folder)
    damage(file)
    const read = await driver.get('k')
    return { read, log, file }
  }

  test.each<[string, (file: string) => void]>([
    ['was cut off', (file) => truncateSync(file, statSync(file).size - 3)],
    ['is empty', (file) => truncateSync(file, 0)],
    ['has another version', (file) => writeFileSync(file, readFileSync(file).fill('9', 3, 4))],
    [
      'has one changed bit',
      (file) => {
        const bytes = readFileSync(file)
        bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 1
        writeFileSync(file, bytes)
      },
    ],
  ])('that %s is dropped, which is logged', async (_, damage) => {
    const { read, log, file } = await damaged(damage)
    expect(read).toBeNull()
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining('is damaged')])
    expect(existsSync(file)).toBe(false)
  })
})

describe('a folder that cannot be written', () => {
  test.skipIf(process.getuid?.() === 0)('is logged once, and nothing throws', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o500)
    const log = vi.fn()
    const driver = await openDriver({ folder, log })
    for (let at = 0; at < 5; at++) await driver.set('k', entryOf('v'))
    await driver.invalidate(['t'], 'stale')
    expect((await driver.lease('k', 1_000)).kind).toBe('ours')
    expect(await driver.get('k')).toBeNull()
    expect(log).toHaveBeenCalledOnce()
  })

  test('because it is a file is logged once, and nothing throws', async () => {
    const file = path.join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const log = vi.fn()
    const driver = await openDriver({ folder: file, log })
    for (let at = 0; at < 5; at++) await driver.set('k', entryOf('v'))
    await driver.invalidate(['t'], 'stale')
    expect((await driver.lease('k', 1_000)).kind).toBe('ours')
    expect(await driver.get('k')).toBeNull()
    expect(log).toHaveBeenCalledOnce()
  })
})
