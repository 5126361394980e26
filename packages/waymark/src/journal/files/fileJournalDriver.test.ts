import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  alikeAt,
  digestAt,
  entryAt,
  journalDriverSuite,
  startMs,
} from '../../../../testing/src/drivers/journalDriverSuite.ts'
import {
  bundleTestProgram,
  eventually,
  kill,
  startProgram,
} from '../../shared/testing/processes.ts'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import type { JournalDriver, JournalRecord } from '../journalDriver.ts'
import { createFilesJournal, type FilesJournalOptions } from './fileJournalDriver.ts'

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)
}

function create(options: Partial<FilesJournalOptions> = {}) {
  const folder = options.folder ?? path.join(temporaryFolder(), 'journal')
  const log = vi.fn<(line: string) => void>()
  const driver = createFilesJournal({ folder, log, now: () => startMs, pid: 7, ...options })
  // Close the journals before the folder is removed, because a later write would create it again.
  onTestFinished(() => driver.close())
  return { folder, log, driver }
}

const current = '2026-01-21-7.jsonl'

describe('a journal in files', () =>
  journalDriverSuite(() => create({ folder: path.join(temporaryFolder(), 'a/b') }).driver, {
    test,
    expect,
  }))

describe('the files', () => {
  test('are named by day and process, and accessible only for their owner', async () => {
    const { driver, folder } = create()
    driver.write(entryAt(1))
    await driver.flush()
    expect(readdirSync(folder)).toEqual([current])
    expect(statSync(path.join(folder, current)).mode & 0o777).toBe(0o600)
  })

  test('are in a private folder, but the folder around it is not restricted', async () => {
    const around = path.join(temporaryFolder(), 'build')
    const { driver, folder } = create({ folder: path.join(around, 'journal') })
    driver.write(entryAt(1))
    await driver.flush()
    const modeOf = (each: string) => statSync(each).mode & 0o777
    expect(modeOf(folder)).toBe(0o700)
    expect(modeOf(around)).toBe(0o777 & ~process.umask())
  })

  test('do not exist before the first error', async () => {
    const { driver, folder } = create()
    await driver.list()
    expect(() => readdirSync(folder)).toThrow(/ENOENT/)
  })

  test('get entries in batches, without a flush', async () => {
    const { driver, folder } = create({ batchMs: 5 })
    for (let at = 0; at < 100; at++) driver.write(entryAt(at))
    await eventually(() =>
      expect(readFileSync(path.join(folder, current), 'utf8').split('\n')).toHaveLength(101),
    )
  })

  test('are new on the next day', async () => {
    let nowMs = startMs
    const { driver, folder } = create({ now: () => nowMs })
    driver.write(entryAt(1))
    await driver.flush()
    nowMs += 86_400_000
    driver.write(entryAt(2))
    await driver.flush()
    expect(readdirSync(folder).sort()).toEqual([current, '2026-01-22-7.jsonl'])
  })

  test('keep entries of an earlier process with the same id', async () => {
    const { driver, folder } = create()
    driver.write(entryAt(1))
    await driver.close()
    const again = create({ folder }).driver
    again.write(entryAt(2))
    expect(await again.list()).toHaveLength(2)
  })
})

describe('foreign content in the folder', () => {
  test('is skipped: incomplete lines, other lines, other files', async () => {
    const { driver, folder } = create()
    mkdirSync(folder, { recursive: true })
    const [whole, cut] = [entryAt(1), entryAt(2)].map((entry) => JSON.stringify(entry))
    writeFileSync(
      path.join(folder, current),
      `${whole}\n\nno json\n{"kind":"error"}\n${cut?.slice(0, 300)}`,
    )
    writeFileSync(path.join(folder, 'notes.txt'), `${cut}\n`)
    mkdirSync(path.join(folder, '2026-01-21-8.jsonl'))
    driver.write(entryAt(3))
    expect((await driver.list()).map(({ digest }) => digest)).toEqual([3, 1].map(digestAt))
    expect(await driver.find(digestAt(2))).toBeNull()
    expect(await driver.find(digestAt(3))).not.toBeNull()
  })
})

/** Writes records up to number 3,000 in batches, and checks the folder from time to time. */
async function writeTo3000(
  driver: JournalDriver,
  from: number,
  recordAt: (at: number) => JournalRecord,
  check: () => void = () => {},
) {
  for (let at = from; at < 3_000; at++) {
    driver.write(recordAt(at))
    if (at % 20 === 0) await driver.flush()
    if (at % 200 === 0) check()
  }
  await driver.flush()
}

describe('the limits', () => {
  test('of bytes are enforced by removing the oldest files', async () => {
    const maxBytes = 256 * 1024
    const { driver, folder } = create({ maxBytes })
    const check = () => expect(bytesIn(folder)).toBeLessThan(maxBytes)
    await writeTo3000(driver, 0, entryAt, check)
    expect(bytesIn(folder)).toBeLessThan(maxBytes)
    expect(bytesIn(folder)).toBeGreaterThan(maxBytes / 2)
    expect(await driver.find(digestAt(2_999))).not.toBeNull()
    expect(await driver.find(digestAt(0))).toBeNull()
  })

  test('reserve half for errors of the server, even if browsers report a lot', async () => {
    const maxBytes = 256 * 1024
    const { driver, folder } = create({ maxBytes })
    let ofServer = 0
    for (; ofServer === 0 || bytesIn(folder) < maxBytes / 2; ofServer++) {
      driver.write(entryAt(ofServer))
      await driver.flush()
    }
    const check = () => expect(bytesIn(folder)).toBeLessThan(maxBytes)
    const recordAt = (at: number) =>
      at % 2 === 0 ? entryAt(at, { phase: 'browser' }) : alikeAt(at, 1)
    await writeTo3000(driver, ofServer, recordAt, check)
    expect(await driver.list({ phase: 'document', limit: 3_000 })).toHaveLength(ofServer)
    expect(await driver.find(digestAt(0))).toMatchObject({ kind: 'whole' })
    expect(await driver.find(digestAt(2_999))).toMatchObject({ kind: 'alike' })
    expect(await driver.find(digestAt(ofServer + 1))).toBeNull()
  })

  test('allow errors of the server to use everything if browsers report nothing', async () => {
    const maxBytes = 256 * 1024
    const { driver, folder } = create({ maxBytes })
    await writeTo3000(driver, 0, entryAt)
    expect(bytesIn(folder)).toBeGreaterThan(maxBytes * (3 / 4))
  })

  test('of days are enforced', async () => {
    const { driver, folder } = create()
    mkdirSync(folder, { recursive: true })
    for (const day of ['2026-01-07', '2026-01-08']) {
      writeFileSync(path.join(folder, `${day}-1.jsonl`), `${JSON.stringify(entryAt(1))}\n`)
    }
    driver.write(entryAt(2))
    await driver.flush()
    expect(readdirSync(folder).sort()).toEqual(['2026-01-08-1.jsonl', current])
  })

  test('of waiting entries are enforced while the disk is full', async () => {
    const { driver, folder } = fullDisk({ maxBytes: 64 * 1024 })
    for (let at = 0; at < 500; at++) driver.write(entryAt(at))
    await driver.flush()
    rmSync(path.join(folder, current))
    await driver.flush()
    expect(bytesIn(folder)).toBeLessThan(64 * 1024)
    expect(await driver.find(digestAt(499))).not.toBeNull()
  })

  test('of waiting entries do not let browser reports displace those of the server', async () => {
    const { driver, folder } = fullDisk({ maxBytes: 64 * 1024 })
    driver.write(entryAt(0))
    await driver.flush()
    for (let at = 1; at < 100; at++) driver.write(entryAt(at, { phase: 'browser' }))
    rmSync(path.join(folder, current))
    expect(await driver.find(digestAt(0))).toMatchObject({ kind: 'whole' })
    expect(await driver.find(digestAt(99))).toMatchObject({ kind: 'whole' })
  })
})

/** Creates a journal whose file is `/dev/full`, for which Linux reports a full disk. */
function fullDisk(options: Partial<FilesJournalOptions> = {}) {
  const made = create(options)
  mkdirSync(made.folder, { recursive: true })
  symlinkSync('/dev/full', path.join(made.folder, current))
  return made
}

describe.runIf(process.platform === 'linux')('a full disk', () => {
  test('is logged once, and entries wait for space', async () => {
    const { driver, folder, log } = fullDisk()
    for (let at = 0; at < 5; at++) {
      driver.write(entryAt(at))
      await driver.flush()
    }
    expect(log.mock.calls).toEqual([[expect.stringContaining('ENOSPC')]])
    expect(await driver.list()).toHaveLength(5)
    expect(await driver.find(digestAt(1))).toMatchObject({ kind: 'whole' })
    rmSync(path.join(folder, current))
    await driver.flush()
    const line = 'The journal can be written again. 0 of its entries were lost.'
    expect(log.mock.calls[1]).toEqual([line])
    expect(await create({ folder }).driver.list()).toHaveLength(5)
  })

  test('is retried automatically', async () => {
    const { driver, folder } = fullDisk({ batchMs: 1 })
    driver.write(entryAt(1))
    await driver.flush()
    rmSync(path.join(folder, current))
    await eventually(() => expect(readdirSync(folder)).toEqual([current]))
  })
})

describe('a folder that cannot be created', () => {
  test.each(['flush', 'list', 'find', 'groups', 'close'] as const)('lets %s end', async (name) => {
    const file = path.join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { driver, log } = create({ folder: path.join(file, 'journal') })
    driver.write(entryAt(1))
    await driver[name](digestAt(1) as never).catch(() => {})
    expect(log.mock.calls).toEqual([[expect.stringMatching(/ENOTDIR|EEXIST/)]])
  })
})

describe('several processes', () => {
  const outDir = mkdtempSync(path.join(tmpdir(), 'journal-program-'))
  let program = ''
  beforeAll(async () => {
    program = await bundleTestProgram(new URL('../testing/writeMany.ts', import.meta.url), outDir)
  })
  afterAll(() => rmSync(outDir, { recursive: true }))

  test('write to one folder at the same time without losing entries', async () => {
    const folder = temporaryFolder()
    const children = await Promise.all(
      [0, 1, 2, 3].map((at) => startProgram(program, [folder, `${at * 500}`, '500'])),
    )
    await Promise.all(children.map(kill))
    const { driver } = create({ folder })
    const listed = await driver.list({ limit: 10_000 })
    expect(listed).toHaveLength(2_000)
    expect(readdirSync(folder)).toHaveLength(4)
  }, 20_000)

  test('survive an incomplete line of a killed process, even with its id', async () => {
    const folder = temporaryFolder()
    const child = await startProgram(program, [folder, '0', '10'])
    await kill(child)
    const [name = ''] = readdirSync(folder)
    appendFileSync(path.join(folder, name), JSON.stringify(entryAt(11)).slice(0, 100))
    const { driver } = create({ folder, pid: child.pid ?? 0, now: Date.now })
    driver.write(entryAt(12))
    expect(await driver.list()).toHaveLength(11)
  }, 20_000)

  test('continue after another one has removed their file', async () => {
    const { driver, folder } = create()
    driver.write(entryAt(1))
    await driver.flush()
    rmSync(folder, { recursive: true })
    driver.write(entryAt(2))
    expect((await driver.list()).map(({ digest }) => digest)).toEqual([digestAt(2)])
  })
})

test('old files are not read in search of new entries', async () => {
  const { driver, folder } = create()
  mkdirSync(folder, { recursive: true })
  const old = path.join(folder, '2026-01-20-1.jsonl')
  writeFileSync(old, `${JSON.stringify(entryAt(5))}\n`)
  utimesSync(old, (startMs - 3_600_000) / 1_000, (startMs - 3_600_000) / 1_000)
  expect(await driver.list({ sinceMs: startMs })).toEqual([])
  expect(await driver.list()).toHaveLength(1)
})
