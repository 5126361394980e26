import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CacheDriver, Lease } from '../cacheDriver.ts'
import { claimAndDie, claimInTwoProcesses } from '../testing/twoProcesses.ts'
import { createFilesDriver } from './fileCacheDriver.ts'
import { createFileLeases } from './fileLeases.ts'
import { writeLeaseLine } from './leaseFormat.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-claims-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

type Options = Partial<Parameters<typeof createFilesDriver>[0]>

async function openDriver(options: Options): Promise<CacheDriver> {
  const driver = await createFilesDriver({ folder: temporaryFolder(), ...options })
  onTestFinished(() => driver.close())
  return driver
}

const keepMs = 60_000
const logIn = (folder: string, generation = 1) =>
  path.join(folder, `v1/claims/claims-${generation}.log`)

async function keep(driver: Pick<CacheDriver, 'claim'>, name: string, result: string) {
  const claim = await driver.claim(name, keepMs)
  if (claim.kind !== 'ours') throw new Error(`${name} is ${claim.kind}.`)
  await claim.keep(Buffer.from(result))
}

/** @returns the result in quotes, or the kind of the claim */
async function ask(driver: Pick<CacheDriver, 'claim'>, name: string): Promise<string> {
  const claim: Lease = await driver.claim(name, keepMs)
  if (claim.kind !== 'done') return claim.kind
  return claim.result === null ? 'lost' : `"${Buffer.from(claim.result)}"`
}

describe('processes that share a folder', () => {
  test('claim what no other has, and find its result, also when they start later', async () => {
    const folder = temporaryFolder()
    const [one, two] = [await openDriver({ folder }), await openDriver({ folder })]
    const claims = await Promise.all([one, two, one, two].map((each) => each.claim('k', keepMs)))
    const ours = claims.filter((each) => each.kind === 'ours')
    expect(ours).toHaveLength(1)
    await ours[0]?.keep(Buffer.from('done'))
    expect([await ask(one, 'k'), await ask(two, 'k')]).toEqual(['"done"', '"done"'])
    await one.close()
    expect(await ask(await openDriver({ folder }), 'k')).toBe('"done"')
  })

  test('real ones, that claim the same names at once, get each once', async () => {
    const store = { kind: 'files', address: temporaryFolder(), outDir: temporaryFolder() } as const
    const got = await claimInTwoProcesses(store, 1_000)
    expect(got.every((each) => each.length > 0)).toBe(true)
    expect(got.flat().length).toBe(new Set(got.flat()).size)
  }, 20_000)

  test('take over what one of them was at when it was killed, once', async () => {
    const [folder, outDir] = [temporaryFolder(), temporaryFolder()]
    await claimAndDie({ kind: 'files', address: folder, outDir })
    const leaseMs = 1_500
    const drivers = [await openDriver({ folder, leaseMs }), await openDriver({ folder, leaseMs })]
    const [one, two] = drivers as [CacheDriver, CacheDriver]
    const killed = await ask(one, 'left')
    await sleep(leaseMs + 50)
    const claims = await Promise.all([one, two, one, two].map((each) => each.claim('left', keepMs)))
    expect(killed).toBe('running')
    expect(claims.map(({ kind }) => kind).sort()).toEqual(['ours', 'running', 'running', 'running'])
  }, 20_000)

  test('take over nothing from one that lives', async () => {
    const folder = temporaryFolder()
    const leaseMs = 800
    const one = await openDriver({ folder, leaseMs })
    const two = await openDriver({ folder, leaseMs })
    expect(await ask(one, 'k')).toBe('ours')
    await sleep(leaseMs * 2)
    expect(await ask(two, 'k')).toBe('running')
  })

  test('do not wait for what one of them is at for longer than its result would be kept', async () => {
    const folder = temporaryFolder()
    const leaseMs = 1_200
    const one = await openDriver({ folder, leaseMs })
    expect((await one.claim('k', 800)).kind).toBe('ours')
    expect(await ask(one, 'other')).toBe('ours')
    const two = await openDriver({ folder, leaseMs })
    expect(await ask(two, 'k')).toBe('running')
    const isFree = async () => expect(await ask(two, 'k')).toBe('ours')
    await vi.waitFor(isFree, { timeout: 5_000 })
    expect(await ask(two, 'other')).toBe('running')
  })
})

describe('the log', () => {
  test.each<[string, (file: string) => void, string]>([
    ['was cut', (file) => truncateSync(file, statSync(file).size - 70), 'cut or changed'],
    [
      'has a bit turned',
      (file) => {
        const text = readFileSync(file, 'latin1')
        writeFileSync(file, text.replace('Zmlyc3Q=', 'Zmlyc3R='), 'latin1')
      },
      'cut or changed',
    ],
    [
      'has half a line, and bytes of something else',
      (file) => appendFileSync(file, Buffer.concat([Buffer.alloc(200_000, 7), Buffer.from('c n')])),
      'cut or changed',
    ],
  ])('that %s is said once; what is whole counts', async (_, damage, said) => {
    const folder = temporaryFolder()
    const before = await openDriver({ folder })
    await keep(before, 'whole', 'whole')
    await keep(before, 'k', 'first')
    await before.close()
    damage(logIn(folder))
    const log = vi.fn()
    const after = await openDriver({ folder, log })
    expect(await ask(after, 'whole')).toBe('"whole"')
    await keep(after, 'other', 'other')
    const other = await openDriver({ folder, log: () => {} })
    expect(await ask(other, 'other')).toBe('"other"')
    expect(await ask(other, 'whole')).toBe('"whole"')
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining(said)])
  })

  test('does not count a result that is damaged: its name may be claimed', async () => {
    const folder = temporaryFolder()
    const before = await openDriver({ folder })
    await keep(before, 'k', 'first')
    await before.close()
    const text = readFileSync(logIn(folder), 'latin1')
    writeFileSync(logIn(folder), text.replace('Zmlyc3Q=', 'Zmlyc3R='), 'latin1')
    await sleep(5)
    const after = await openDriver({ folder, log: () => {}, leaseMs: 1 })
    await vi.waitFor(async () => expect(await ask(after, 'k')).toBe('ours'))
  })

  test('passes over lines of another version, and says nothing', async () => {
    const folder = temporaryFolder()
    const log = vi.fn()
    await keep(await openDriver({ folder }), 'k', 'v')
    appendFileSync(logIn(folder), '627d100c z 1\n')
    const driver = await openDriver({ folder, log })
    expect(await ask(driver, 'k')).toBe('"v"')
    expect(await ask(driver, 'other')).toBe('ours')
    expect(log).not.toHaveBeenCalled()
  })

  test('takes no line out of a result', async () => {
    const folder = temporaryFolder()
    const forged = writeLeaseLine({ kind: 'done', name: 'x', expireAtMs: 9e15, result: 'AAAA' })
    await keep(await openDriver({ folder }), 'k', `\n${forged}\n`)
    const lines = readFileSync(logIn(folder), 'latin1').split('\n')
    expect(lines).not.toContain(forged.trim())
    expect(await ask(await openDriver({ folder }), 'k')).toBe(`"\n${forged}\n"`)
  })

  test('goes on in another file when one is long, and keeps only some', async () => {
    const folder = temporaryFolder()
    const log = vi.fn()
    const open = () => {
      const files = { read: vi.fn(), write: vi.fn(), remove: vi.fn() }
      const bounds = { files: 3, bytes: 20_000 }
      const claims = createFileLeases({ folder, files, log, bounds })
      onTestFinished(claims.close)
      return claims
    }
    const [one, two, idle] = [open(), open(), open()]
    await keep(idle, 'early', 'early')
    for (let at = 0; at < 400; at++) {
      // Both at once: what stands behind the end of a file must not be lost.
      await Promise.all([keep(one, `a${at}`, 'x'.repeat(200)), keep(two, `b${at}`, 'y')])
      expect(await ask(two, `a${at}`)).toBe(`"${'x'.repeat(200)}"`)
      expect(await ask(one, `b${at}`)).toBe('"y"')
    }
    expect(readdirSync(folder).length).toBeLessThanOrEqual(4)
    const bytes = readdirSync(folder).map((file) => statSync(path.join(folder, file)).size)
    expect(Math.max(...bytes)).toBeLessThan(25_000)
    // One that was idle meanwhile, and one that starts, know what is still there.
    for (const each of [idle, open()]) {
      expect(await ask(each, 'a399')).toBe(`"${'x'.repeat(200)}"`)
      expect(await ask(each, 'b398')).toBe('"y"')
    }
    // Those who have seen what was lost know that it was done, and one that starts does not.
    for (const each of [one, two]) expect(await ask(each, 'a0')).toBe('lost')
    expect(await ask(open(), 'a0')).toBe('ours')
    expect(log).not.toHaveBeenCalled()
  })

  test('goes on where its last line was lost', async () => {
    const folder = temporaryFolder()
    const before = await openDriver({ folder })
    await keep(before, 'k', 'v')
    await before.close()
    appendFileSync(logIn(folder, 2), '')
    const one = await openDriver({ folder })
    const two = await openDriver({ folder })
    expect(await ask(one, 'k')).toBe('"v"')
    expect(await ask(one, 'next')).toBe('ours')
    expect(await ask(two, 'next')).toBe('running')
    expect(statSync(logIn(folder, 2)).size).toBeGreaterThan(0)
  })

  test('that is removed meanwhile is begun anew', async () => {
    const folder = temporaryFolder()
    const now = vi.spyOn(Date, 'now')
    onTestFinished(() => now.mockRestore())
    const [one, two] = [await openDriver({ folder }), await openDriver({ folder })]
    const claim = await one.claim('k', keepMs)
    rmSync(path.join(folder, 'v1'), { recursive: true })
    now.mockReturnValue(Date.now() + 2_000)
    expect(await ask(two, 'other')).toBe('ours')
    expect(await ask(one, 'other')).toBe('running')
    if (claim.kind === 'ours') await claim.keep(Buffer.from('v'))
    expect(await ask(two, 'k')).toBe('"v"')
  })

  test('whose long result is gone does not let it run again', async () => {
    const folder = temporaryFolder()
    const driver = await openDriver({ folder })
    await keep(driver, 'k', 'x'.repeat(20_000))
    expect(statSync(logIn(folder)).size).toBeLessThan(1_000)
    rmSync(path.join(folder, 'v1/entries'), { recursive: true })
    expect(await ask(driver, 'k')).toBe('lost')
  })

  test('is not made before something is claimed', async () => {
    const folder = temporaryFolder()
    await openDriver({ folder })
    expect(existsSync(path.join(folder, 'v1/claims'))).toBe(false)
  })
})

describe('a folder that can not be written to', () => {
  const refused: readonly [string, (folder: string) => void][] = [
    ['is a file', (folder) => writeFileSync(path.join(folder, 'claims'), '')],
    ['is read-only', (folder) => chmodSync(folder, 0o500)],
  ]
  test.each(refused)('because it %s fails no claim, and is said once', async (what, refuse) => {
    if (what === 'is read-only' && process.getuid?.() === 0) return
    const folder = temporaryFolder()
    refuse(folder)
    const log = vi.fn()
    const files = { read: vi.fn(), write: vi.fn(), remove: vi.fn() }
    const claims = createFileLeases({ folder: path.join(folder, 'claims'), files, log })
    onTestFinished(claims.close)
    for (let at = 0; at < 5; at++) await keep(claims, `k${at}`, 'v')
    const left = await claims.claim('left', keepMs)
    if (left.kind === 'ours') await left.release()
    expect(log.mock.calls.flat()).toEqual([expect.stringContaining("can't be written")])
  })
})
