import { expect, test } from 'vitest'
import { clockOffsetMs, type DoctorTools, examine } from './doctorChecks.ts'
import type { DoctorReport } from './proof.ts'

type Fake = Partial<DoctorReport> & {
  readonly offsetMs?: number
  readonly cache?: Set<string>
  /** Assets that the server has from other builds. */
  readonly borrowed?: readonly string[]
  /** Statuses of files that the server's page refers to. By default, all files exist. */
  readonly statuses?: Readonly<Record<string, number>>
}

/** Creates servers whose reports the test controls. By default, the servers share a cache. */
function fleetOf(
  servers: Readonly<Record<string, Fake>>,
  assetsAt: string | null = null,
): DoctorTools {
  const common = new Set<string>()
  const query: DoctorTools['query'] = async (url, question, key) => {
    const {
      offsetMs = 0,
      cache = common,
      borrowed: _,
      statuses: _statuses,
      ...report
    } = servers[url] ?? {}
    if (!servers[url]) throw new Error("it can't be reached (ECONNREFUSED)")
    if (question === 'write') cache.add(key)
    if (question === 'invalidate') cache.delete(key)
    const sentAtMs = Date.now()
    const full: DoctorReport = {
      buildId: 'b1',
      keyRing: ['k1'],
      actionIds: 'a1',
      instance: url,
      timeMs: sentAtMs + offsetMs,
      hasEntry: question === 'read' ? cache.has(key) : null,
      assets: { names: ['a-1.js'], sharedIn: null, closed: [] },
      ...report,
    }
    return { report: full, sentAtMs, receivedAtMs: sentAtMs }
  }
  const hasAsset = async (origin: string, name: string) => {
    const { assets, borrowed = [] } = servers[origin] ?? {}
    return [...(assets?.names ?? []), ...borrowed].includes(name)
  }
  const statusesOf = (url: string) => servers[url]?.statuses ?? {}
  const filesOfPage = async (url: string) =>
    Object.keys(statusesOf(url)).map((name) => `${url}/${name}`)
  const statusOf = async (file: string) => {
    const [url = '', name = ''] = file.split('/')
    return statusesOf(url)[name] ?? 200
  }
  return { query, hasAsset, filesOfPage, statusOf, assetsAt }
}

async function failing(servers: Readonly<Record<string, Fake>>, assetsAt?: string) {
  const urls = Object.keys(servers).filter((url) => url !== assetsAt)
  const { checks } = await examine(urls, fleetOf(servers, assetsAt), 'key')
  return checks.filter(({ isOk }) => !isOk)
}

test('servers that agree pass', async () => {
  const { checks } = await examine(['a', 'b', 'c'], fleetOf({ a: {}, b: {}, c: {} }), 'key')
  expect(checks.map(({ name, isOk }) => [name, isOk])).toEqual([
    ['build', true],
    ['keyRing', true],
    ['actions', true],
    ['clock', true],
    ['cache', true],
    ['invalidation', true],
    ['assets', true],
    ['files', true],
  ])
  expect(checks[4]?.text).toBe('one cache for all (3 processes)')
})

test.each([
  ['build', { buildId: 'b2' }, 'b: b2'],
  ['keyRing', { keyRing: ['k2', 'k1'] }, 'b: k2 k1'],
  ['actions', { actionIds: 'a2' }, 'b: a2'],
  ['clock', { offsetMs: 3_000 }, 'b: 3000 ms from here'],
])('a server with a different %s is named', async (name, other, detail) => {
  const failed = await failing({ a: {}, b: other })
  expect(failed.map((check) => check.name)).toEqual([name])
  expect(failed[0]?.details.at(-1)).toBe(detail)
})

const apart = () => ({ cache: new Set<string>() })
const shares = (...names: string[]) => ({
  assets: { names, sharedIn: 'cache' as const, closed: [] },
})
const unshared = (...names: string[]) => ({ assets: { names, sharedIn: null, closed: [] } })

test('servers with separate caches are named, because each has only its own assets', async () => {
  const failed = await failing({ a: apart(), b: apart() })
  expect(failed.map(({ name }) => name)).toEqual(['cache', 'assets'])
  expect(failed[0]?.details.at(-1)).toBe('b does not have the entry')
  expect(failed[1]?.details).toEqual([
    "a doesn't have the assets of other builds",
    "b doesn't have the assets of other builds",
    expect.stringContaining('waymark assets push'),
  ])
})

test('with two builds, each server is asked for the assets that only the other has', async () => {
  const a = { ...shares('a.js', 'c.js'), borrowed: ['b.js'] }
  expect(await failing({ a, b: { ...shares('b.js', 'c.js'), borrowed: ['a.js'] } })).toEqual([])
  const failed = await failing({ a, b: shares('b.js', 'c.js') })
  expect(failed.map(({ name }) => name)).toEqual(['assets'])
  expect(failed[0]?.details[0]).toBe("b doesn't have a.js from a")
})

test('if another host has the assets, it is asked for the assets of each build', async () => {
  const servers = { a: { ...apart(), ...unshared('a.js') }, b: { ...apart(), ...unshared('b.js') } }
  const namesOf = async (host: Fake) =>
    (await failing({ ...servers, host }, 'host')).map(({ name }) => name)
  expect(await namesOf({ borrowed: ['a.js', 'b.js'] })).toEqual(['cache'])
  expect(await namesOf({ borrowed: ['a.js'] })).toEqual(['cache', 'assets'])
})

test('a single server passes without sharing', async () => {
  expect(await failing({ a: apart() })).toEqual([])
})

test('a server that does not respond ends the examination', async () => {
  const findings = await examine(['a', 'x'], fleetOf({ a: {} }), 'key')
  expect(findings.checks).toEqual([])
  expect(findings.servers.map(({ problem }) => problem)).toEqual([
    null,
    "it can't be reached (ECONNREFUSED)",
  ])
})

test('the clock offset comes from the fastest exchange', () => {
  const at = (timeMs: number, sentAtMs: number, receivedAtMs: number) => {
    const report = { timeMs } as DoctorReport
    return { report, sentAtMs, receivedAtMs }
  }
  expect(clockOffsetMs([at(900, 0, 1000), at(1010, 1000, 1010)])).toBe(5)
})

test('a forbidden file is reported with the closed folder and the command that opens it', async () => {
  const closed = [
    { path: '/srv/app/.waymark', isFolder: true },
    { path: "/srv/it's/a.js", isFolder: false },
  ]
  const assets = { names: ['a.js'], sharedIn: null, closed }
  const failed = await failing({ a: { statuses: { 'a.js': 403, 'b.css': 200 }, assets } })
  expect(failed.map(({ name }) => name)).toEqual(['files'])
  expect(failed[0]?.details).toEqual([
    'a/a.js: status 403',
    "The web server's user may not enter /srv/app/.waymark. Run: chmod o+x /srv/app/.waymark",
    `The web server's user may not read /srv/it's/a.js. Run: chmod o+r '/srv/it'\\''s/a.js'`,
  ])
})

test('a forbidden file that every user may read is blamed on the configuration', async () => {
  const assets = { names: ['a.js'], sharedIn: null, closed: [] }
  const failed = await failing({ a: { statuses: { 'a.js': 403 }, assets } })
  expect(failed[0]?.details[1]).toContain(
    "the status 403 comes from the web server's configuration",
  )
})

test('if many files are missing, only some are listed', async () => {
  const names = ['a.js', 'b.js', 'c.js', 'd.js', 'e.js']
  const failed = await failing({ a: { statuses: Object.fromEntries(names.map((n) => [n, 404])) } })
  expect(failed[0]?.details).toEqual([
    'a/a.js: status 404',
    'a/b.js: status 404',
    'a/c.js: status 404',
    'and 2 more from a',
  ])
})
