import { expect, test } from 'vitest'
import { clockOffsetMs, type DoctorTools, examine, type InsideTools } from './doctorChecks.ts'
import type { DoctorReport } from './proof.ts'

type Fake = Partial<DoctorReport> & {
  readonly offsetMs?: number
  readonly cache?: Set<string>
  /** Assets that the server has from other builds. */
  readonly borrowed?: readonly string[]
  /** Statuses of files that the server's page refers to. By default, all files exist. */
  readonly statuses?: Readonly<Record<string, number>>
  readonly types?: Readonly<Record<string, string>>
  /** Builds of the pages and their data, in the order of the requests. */
  readonly pageBuilds?: readonly string[]
  readonly dataBuilds?: readonly (string | null)[]
  readonly statusOfMissing?: number
  /** Kinds of streams that a proxy holds back. */
  readonly heldBack?: readonly string[]
  /** True if the proxy holds back only compressed streams. */
  readonly isCompressing?: boolean
}

/** Creates servers whose reports the test controls. By default, the servers share a cache. */
function fleetOf(
  servers: Readonly<Record<string, Fake>>,
  { assetsAt = null, hasSecret = true, variables = [] }: Partial<FleetOptions> = {},
): DoctorTools {
  const common = new Set<string>()
  const counts = new Map<string, number>()
  const next = <T>(values: readonly T[], counter: string): T | undefined => {
    const count = counts.get(counter) ?? 0
    counts.set(counter, count + 1)
    return values[count % values.length]
  }
  const query: InsideTools['query'] = async (url, question, key) => {
    const fake = servers[url]
    if (!fake) throw new Error("it can't be reached (ECONNREFUSED)")
    const { offsetMs = 0, cache = common } = fake
    if (question === 'write') cache.add(key)
    if (question === 'invalidate') cache.delete(key)
    const sentAtMs = Date.now()
    const report: DoctorReport = {
      buildId: fake.buildId ?? 'b1',
      keyRing: fake.keyRing ?? ['k1'],
      secretFrom: fake.secretFrom ?? 'environment',
      actionIds: fake.actionIds ?? 'a1',
      instance: url,
      timeMs: sentAtMs + offsetMs,
      hasEntry: question === 'read' ? cache.has(key) : null,
      assets: fake.assets ?? { names: ['a-1.js'], earlier: [], sharedIn: null, closed: [] },
      variables: fake.variables ?? [],
    }
    return { report, sentAtMs, receivedAtMs: sentAtMs }
  }
  const openStream: InsideTools['openStream'] = async (url, kind, isCompressible) => {
    const { heldBack = [], isCompressing = false } = servers[url] ?? {}
    const isHeldBack = heldBack.includes(kind) && (isCompressible || !isCompressing)
    const encoding = isCompressing && isCompressible ? 'gzip' : null
    return { spreadMs: isHeldBack ? 0 : 750, status: 200, server: 'nginx/1.22.1', encoding }
  }
  const outside: DoctorTools['outside'] = {
    async openPage(url) {
      const fake = servers[url]
      if (!fake) throw new Error("it can't be reached (ECONNREFUSED)")
      const files = Object.keys(fake.statuses ?? {}).map((name) => `${url}/${name}`)
      const build = next(fake.pageBuilds ?? ['b1'], `page ${url}`) ?? null
      return { url: new URL('http://host/'), status: 200, build, files }
    },
    async openData(url) {
      const build = next(servers[url]?.dataBuilds ?? ['b1'], `data ${url}`) ?? null
      return { status: 200, type: 'text/x-component', build }
    },
    async lookAt(file) {
      const [url = '', name = ''] = file.split('/')
      const {
        statuses = {},
        types = {},
        assets,
        borrowed = [],
        statusOfMissing = 404,
      } = servers[url] ?? {}
      const has = [...Object.keys(statuses), ...(assets?.names ?? []), ...borrowed].includes(name)
      const type = types[name] ?? (name.endsWith('.css') ? 'text/css' : 'text/javascript')
      return { status: has ? (statuses[name] ?? 200) : statusOfMissing, type, build: null }
    },
    assetUrl: (origin, name) => `${origin}/${name}`,
  }
  return { inside: hasSecret ? { query, openStream } : null, outside, assetsAt, variables }
}

type FleetOptions = Pick<DoctorTools, 'assetsAt' | 'variables'> & { readonly hasSecret: boolean }

async function failing(
  servers: Readonly<Record<string, Fake>>,
  options: Partial<FleetOptions> = {},
) {
  const urls = Object.keys(servers).filter((url) => url !== options.assetsAt)
  const { checks } = await examine(urls, fleetOf(servers, options), 'key')
  return checks.filter(({ isOk }) => !isOk)
}

test('servers that agree pass', async () => {
  const { checks } = await examine(['a', 'b', 'c'], fleetOf({ a: {}, b: {}, c: {} }), 'key')
  expect(checks.map(({ name }) => name)).toEqual([
    'build',
    'keyRing',
    'secret',
    'variables',
    'actions',
    'clock',
    'cache',
    'invalidation',
    'assets',
    'streams',
    'files',
    'notFound',
    'skew',
  ])
  expect(checks.filter(({ isOk }) => !isOk)).toEqual([])
  expect(checks.find(({ name }) => name === 'cache')?.text).toBe('one cache for all (3 processes)')
})

test.each([
  ['build', { buildId: 'b2' }, 'b: b2'],
  ['keyRing', { keyRing: ['k2', 'k1'] }, 'b: k2 k1'],
  ['actions', { actionIds: 'a2' }, 'b: a2'],
  ['clock', { offsetMs: 3_000 }, 'b: 3000 ms from here'],
])('a server with a different %s is named', async (name, other, detail) => {
  const failed = await failing({ a: {}, b: other })
  expect(failed.map((check) => check.name)).toEqual([name])
  expect(failed[0]?.details.at(-2)).toBe(detail)
})

const apart = () => ({ cache: new Set<string>() })
const shares = (...names: string[]) => ({
  assets: { names, earlier: [], sharedIn: 'cache' as const, closed: [] },
})
const unshared = (...names: string[]) => ({
  assets: { names, earlier: [], sharedIn: null, closed: [] },
})

test('servers with separate caches are named, because each has only its own assets', async () => {
  const failed = await failing({ a: apart(), b: apart() })
  expect(failed.map(({ name }) => name)).toEqual(['cache', 'assets'])
  expect(failed[0]?.details).toEqual([
    "b doesn't have the entry that a has written",
    expect.stringContaining('Set WAYMARK_REDIS_URL'),
  ])
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
    (await failing({ ...servers, host }, { assetsAt: 'host' })).map(({ name }) => name)
  expect(await namesOf({ borrowed: ['a.js', 'b.js'] })).toEqual(['cache'])
  expect(await namesOf({ borrowed: ['a.js'] })).toEqual(['cache', 'assets'])
})

test('a single server passes without sharing', async () => {
  expect(await failing({ a: apart() })).toEqual([])
})

test('if a server does not respond, only the outside checks of the others run', async () => {
  const findings = await examine(['a', 'x'], fleetOf({ a: {} }), 'key')
  expect(findings.checks.map(({ name }) => name)).toEqual(['build', 'files', 'notFound', 'skew'])
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
  const assets = { names: ['a.js'], earlier: [], sharedIn: null, closed }
  const failed = await failing({ a: { statuses: { 'a.js': 403, 'b.css': 200 }, assets } })
  expect(failed.map(({ name }) => name)).toEqual(['files'])
  expect(failed[0]?.details).toEqual([
    'a/a.js: status 403',
    "The web server's user may not enter /srv/app/.waymark. Run: chmod o+x /srv/app/.waymark",
    `The web server's user may not read /srv/it's/a.js. Run: chmod o+r '/srv/it'\\''s/a.js'`,
  ])
})

test('a forbidden file that every user may read is blamed on the configuration', async () => {
  const assets = { names: ['a.js'], earlier: [], sharedIn: null, closed: [] }
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
    expect.stringContaining('pages of a build whose files'),
  ])
})

test('a server that lacks a file of an earlier build is named', async () => {
  const assets = { names: ['b.js'], earlier: ['a.js', 'c.js'], sharedIn: null, closed: [] }
  const failed = await failing({ a: { assets, borrowed: ['c.js'] } })
  expect(failed.map(({ name }) => name)).toEqual(['assets'])
  expect(failed[0]?.details).toEqual([
    "a doesn't have a.js from an earlier build",
    expect.stringContaining('--assets-from'),
  ])
})

test('the secret of a build is enough for one process, but not for several', async () => {
  const build = { secretFrom: 'build' as const }
  expect(await failing({ a: build })).toEqual([])
  const failed = await failing({ a: build, b: {} })
  expect(failed.map(({ name }) => name)).toEqual(['secret'])
  expect(failed[0]?.details).toEqual([
    "a: WAYMARK_SECRET isn't set",
    expect.stringContaining('openssl rand -base64 32'),
  ])
})

test('variables that a server lacks are named with their file', async () => {
  const variables = ['DATABASE_URL', 'MAIL_KEY'].map((name) => ({
    name,
    file: '.env',
    fingerprint: `#${name}`,
  }))
  const failed = await failing(
    { a: { variables: ['#DATABASE_URL', '#MAIL_KEY'] }, b: { variables: ['#MAIL_KEY'] } },
    { variables },
  )
  expect(failed.map(({ name }) => name)).toEqual(['variables'])
  expect(failed[0]?.details[0]).toBe("b: DATABASE_URL isn't set (it is in .env)")
})

test('a proxy that holds back streams is named with its remedy', async () => {
  const failed = await failing({ a: {}, b: { heldBack: ['page', 'data'] } })
  expect(failed.map(({ name }) => name)).toEqual(['streams'])
  expect(failed[0]?.details).toEqual([
    'b: pages (text/html) arrive only at their end',
    'b: page data (text/x-component) arrive only at their end',
    'In the nginx at b, add proxy_buffering off; to each location with proxy_pass, and reload nginx.',
  ])
})

test('a proxy whose compression holds back streams is told apart', async () => {
  const failed = await failing({ a: { heldBack: ['page'], isCompressing: true } })
  expect(failed[0]?.details[0]).toBe(
    'a: pages (text/html) arrive only at their end if the proxy compresses them (gzip)',
  )
})

test('a missing script must not be answered with a page', async () => {
  const failed = await failing({ a: { statusOfMissing: 200 } })
  expect(failed.map(({ name }) => name)).toEqual(['notFound'])
  expect(failed[0]?.details[0]).toBe("a: status 200 for a file that doesn't exist")
})

test('a script with the wrong type fails, because browsers refuse it', async () => {
  const failed = await failing({ a: { statuses: { 'a.js': 200 }, types: { 'a.js': 'text/html' } } })
  expect(failed[0]?.details[0]).toBe('a/a.js: type text/html')
})

test.each([
  ['a proxy removes the header of page data', { dataBuilds: [null] }, 'no header waymark-build'],
  ['a cache keeps pages of an old build', { pageBuilds: ['b0'] }, 'pages of the build b0'],
])('if %s, open pages cannot see a new build', async (_what, fake, detail) => {
  const failed = await failing({ a: fake })
  expect(failed.map(({ name }) => name)).toEqual(['skew'])
  expect(failed[0]?.details[0]).toContain(detail)
})

test('without the secret, the outside checks run and the others are listed', async () => {
  const { checks, skipped } = await examine(['a'], fleetOf({ a: {} }, { hasSecret: false }), 'key')
  expect(checks.map(({ name }) => name)).toEqual(['build', 'files', 'notFound', 'skew'])
  expect(checks.filter(({ isOk }) => !isOk)).toEqual([])
  expect(skipped).toContain('streams')
})

test('without the secret, replicas of several builds behind one address are found', async () => {
  const mixed = ['b1', 'b2']
  const fleet = fleetOf({ a: { pageBuilds: mixed, dataBuilds: mixed } }, { hasSecret: false })
  const { checks } = await examine(['a'], fleet, 'key')
  expect(checks.filter(({ isOk }) => !isOk).map(({ name }) => name)).toEqual(['build'])
})
