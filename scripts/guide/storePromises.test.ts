import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../workspace/paths.mjs'

const page = readFileSync(join(root, 'site/app/guide/stores/page.mdx'), 'utf8')

/** A test that proves a promise: its file, and a text in the file, mostly its name. */
type Proof = readonly [file: string, name: string]

/** Columns of the table in the guide's page on stores. */
const storeNames = ['memory', 'files', 'Redis', 'Redis over HTTP', 'Cloudflare'] as const

type StoreName = (typeof storeNames)[number]

/** A row of the table. A store that doesn't keep the promise has no tests. */
type StorePromise = {
  /** Text with which the row begins, without links. */
  readonly row: string
  readonly proofs: { readonly [Store in StoreName]?: readonly [Proof, ...Proof[]] }
}

const fileCache = 'packages/waymark/src/cache/files/fileCacheDriver.test.ts'
const redisCache = 'packages/redis/src/redisCacheDriver.test.ts'
const httpCache = 'packages/redis/src/httpConnection.test.ts'
const redisApp = 'e2e/cacheRedis.test.ts'
const httpApp = 'e2e/redisOverHttp.test.ts'
const kvCache = 'packages/cloudflare/src/kvCacheDriver.test.ts'
const cloudflareApp = 'e2e/cloudflare.test.ts'
const sessions = 'packages/session/src/cacheStore.redis.test.ts'
const queuedCalls = 'packages/waymark/src/rsc/action/idempotency.queued.test.ts'

/** Each row of the table, with the tests that prove it. */
const promises: readonly StorePromise[] = [
  {
    row: 'Cached pages and results',
    proofs: {
      files: [
        [fileCache, 'can be written and read by two real processes'],
        [fileCache, 'keeps its entries for the next process'],
      ],
      Redis: [[redisCache, 'write and read the same keys at once, as real processes']],
      'Redis over HTTP': [
        [httpCache, 'write and read the same keys at once, as real processes'],
        ['packages/redis/src/httpFaults.test.ts', 'an entry that is too long for a request'],
      ],
      Cloudflare: [[kvCache, 'an invalidation applies to entries of other isolates']],
    },
  },
  {
    row: 'A result is computed once',
    proofs: {
      memory: [
        ['packages/waymark/src/cache/cache.test.ts', 'cause one computation of a missing key'],
      ],
      files: [['packages/waymark/src/cache/files/fileLeases.test.ts', 'get each name once']],
      Redis: [[redisApp, 'compute a result once for many concurrent requests']],
      'Redis over HTTP': [[httpApp, 'compute a result once for many concurrent requests']],
      Cloudflare: [[kvCache, 'one of many isolates gets a lease, and the others its result']],
    },
  },
  {
    row: 'After updateTag',
    proofs: {
      files: [[fileCache, 'is shared by two processes that see each other’s invalidations']],
      Redis: [
        [redisCache, 'learn of each other’s invalidations at once'],
        [redisCache, 'learn of an invalidation within a second if its message is lost'],
      ],
      'Redis over HTTP': [
        [httpApp, 'see invalidations of functions and pages by the other server within a second'],
        [httpCache, 'hold up a request only if the log was not read for a while'],
      ],
      Cloudflare: [[cloudflareApp, 'learn of an invalidation in the other one']],
    },
  },
  {
    row: 'A process that its host has frozen',
    proofs: {
      files: [
        ['e2e/cacheFiles.test.ts', 'respond with nothing outdated after one of them was frozen'],
      ],
      Redis: [[redisApp, 'respond with nothing outdated after a freeze']],
      'Redis over HTTP': [[httpApp, 'respond with nothing outdated after a freeze']],
      Cloudflare: [[kvCache, 'an isolate is behind until it has asked for invalidations']],
    },
  },
  {
    row: 'An action with a key runs once',
    proofs: {
      memory: [
        [
          'packages/waymark/src/rsc/action/idempotency.test.ts',
          'runs once, even for repeats that arrive while it runs',
        ],
      ],
      files: [['e2e/workers.test.ts', 'two servers with one folder run a submission once']],
      Redis: [[redisApp, 'run a submission once, whichever server gets it']],
      'Redis over HTTP': [[httpApp, 'run a submission once, whichever server gets it']],
      Cloudflare: [[cloudflareApp, 'run an action with one key only once']],
    },
  },
  {
    row: 'A form that the outbox sends again',
    proofs: {
      memory: [[queuedCalls, 'lasts 8 days in the memory of a process']],
      files: [[queuedCalls, 'a queued call, with a store in %s']],
      Redis: [[queuedCalls, 'lasts 8 days, in Redis']],
      'Redis over HTTP': [[queuedCalls, 'Redis over HTTP']],
      Cloudflare: [[kvCache, 'one of many isolates gets a lease, and the others its result']],
    },
  },
  {
    row: 'waymark errors',
    proofs: {
      files: [['e2e/errors.test.ts', 'lookUp(served, digest)']],
      Redis: [['packages/redis/src/redisJournalDriver.test.ts', 'is shared by all replicas']],
      'Redis over HTTP': [
        [httpApp, 'share a journal, in which a command finds an error by its digest'],
      ],
    },
  },
  {
    row: 'Sessions with cacheStore()',
    proofs: {
      files: [['packages/session/src/cacheStore.test.ts', 'in files, with two processes']],
      Redis: [[sessions, 'sessions in Redis, with two processes']],
      'Redis over HTTP': [[sessions, 'HTTP: redisDrivers']],
    },
  },
  {
    row: 'Attempt limits',
    proofs: {
      files: [['packages/session/src/attemptLimit.fleet.test.ts', 'counts them together']],
      Redis: [['packages/session/src/attemptLimit.fleet.test.ts', 'counts them together']],
      'Redis over HTTP': [['packages/session/src/attemptLimit.fleet.test.ts', 'Redis over HTTP']],
      Cloudflare: [[kvCache, 'one of many isolates gets a lease, and the others its result']],
    },
  },
  {
    row: 'Live pages',
    proofs: {
      files: [['e2e/liveFleet.test.ts', 'the same cache folder']],
      Redis: [['e2e/liveFleet.test.ts', 'one Redis']],
      'Redis over HTTP': [['e2e/liveFleet.test.ts', 'one Redis over HTTP']],
    },
  },
  {
    row: 'Scheduled jobs',
    proofs: {
      files: [['packages/schedule/src/runner.fleet.test.ts', "['files'"]],
      Redis: [['packages/schedule/src/runner.fleet.test.ts', "['Redis'"]],
      'Redis over HTTP': [['packages/schedule/src/runner.fleet.test.ts', "['Redis over HTTP'"]],
    },
  },
  {
    row: 'Servers of another build',
    proofs: {
      files: [['e2e/deploys.test.ts', "'--shared-assets', shared"]],
      Redis: [
        ['e2e/rollingDeploys.test.ts', 'each serves the assets of the other build like its own'],
      ],
      'Redis over HTTP': [[httpCache, 'the assets of two builds']],
    },
  },
]

/** Returns the cells of the table below a heading, without links and code marks. */
function readTable(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [table = ''] = section.split(/\n## /)
  const lines = table.split('\n').filter((line) => line.startsWith('|') && !/^\|[-|]+$/.test(line))
  const plain = (cell: string) => cell.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => plain(cell).trim()),
  )
}

const [header = [], ...rows] = readTable('What each store promises')

test('the table has a column for each store, and a row for each promise', () => {
  expect(header.slice(1)).toEqual(storeNames)
  for (const [at, { row }] of promises.entries()) expect(rows[at]?.[0]?.startsWith(row)).toBe(true)
  expect(rows).toHaveLength(promises.length)
})

describe.each(promises)('$row', ({ row, proofs }) => {
  const cells = rows.find(([promise]) => promise?.startsWith(row)) ?? []

  test.each(storeNames)('the cell of %s is true by a test, or says no', (store) => {
    const cell = cells[storeNames.indexOf(store) + 1] ?? ''
    const tests = proofs[store]
    if (!tests) return expect(cell).toMatch(/^no\b/)
    expect(cell).not.toMatch(/^(?:no\b|$)/)
    for (const [file, name] of tests) {
      expect(existsSync(join(root, file)), file).toBe(true)
      expect(readFileSync(join(root, file), 'utf8')).toContain(name)
    }
  })
})
