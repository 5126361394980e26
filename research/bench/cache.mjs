/**
 * Measures the cost of the cache: reads by driver, many concurrent reads of one entry, and how fast
 * replicas learn about a tag.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRedisCache } from '@waymark/redis'
import { createCache } from '../packages/waymark/dist/cache/cache.js'
import { createFilesDriver } from '../packages/waymark/dist/cache/files/fileCacheDriver.js'
import { createMemoryDriver } from '../packages/waymark/dist/cache/memoryCacheDriver.js'
import { startBenchRedis } from './lib/redis.mjs'
import { appendResults, describeMachine, printTable } from './lib/report.mjs'

const value = new Uint8Array(10_240).fill(120)
const forever = { revalidateSeconds: null, expireSeconds: null, isShared: true }
const keys = 500

const percentile = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)]
const ms = (nanoseconds) => Number((Number(nanoseconds) / 1e6).toFixed(3))

/** Reads one after the other, then 16 at the same time. */
async function measureReads(store, read, count) {
  for (let at = 0; at < count / 10; at++) await read(`k${at % keys}`)
  const times = []
  for (let at = 0; at < count; at++) {
    const begin = process.hrtime.bigint()
    await read(`k${at % keys}`)
    times.push(Number(process.hrtime.bigint() - begin))
  }
  times.sort((a, b) => a - b)
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let at = 0; at < count / 16; at++) await read(`k${at % keys}`)
    }),
  )
  const perSecond = Math.round(count / ((performance.now() - begin) / 1_000))
  const [p50, p99] = [0.5, 0.99].map((share) => ms(percentile(times, share)))
  return { store, 'reads/s': perSecond, p50, p99 }
}

async function fill(driver) {
  for (let at = 0; at < keys; at++) {
    const now = Date.now()
    const entry = { value, tags: ['t'], storedAtMs: now, revalidateAtMs: null, expireAtMs: null }
    await driver.set(`k${at}`, { ...entry, position: driver.position() })
  }
}

async function stampede(drivers) {
  let computed = 0
  const compute = async () => {
    computed++
    await new Promise((resolve) => setTimeout(resolve, 100))
    return { value, tags: ['t'], ...forever }
  }
  const caches = drivers.map((driver) => {
    const cache = createCache({ memory: createMemoryDriver(), report: console.error })
    cache.attach(driver)
    return cache
  })
  const reads = caches.flatMap((cache) =>
    Array.from({ length: 1_000 }, async () => cache.read('stampede', compute)),
  )
  await Promise.all(reads)
  return { replicas: drivers.length, readers: reads.length, computed }
}

/** Measures from the call until the last other replica has got the message. */
async function invalidations([first, ...others], count) {
  const times = []
  for (let at = 0; at < count; at++) {
    const begin = performance.now()
    const heard = others.map(
      (driver) =>
        new Promise((resolve) => {
          const stop = driver.onInvalidated(() => {
            stop()
            resolve()
          })
        }),
    )
    await first.invalidate([`tag ${at % 50}`], 'stale')
    await Promise.all(heard)
    times.push(performance.now() - begin)
  }
  times.sort((a, b) => a - b)
  const [p50, p99] = [0.5, 0.99].map((share) => Number(percentile(times, share).toFixed(2)))
  return { replicas: others.length + 1, p50, p99 }
}

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-bench-'))
const redis = await startBenchRedis()
try {
  console.log(describeMachine())
  const memory = createMemoryDriver()
  const cache = createCache({ memory, report: console.error })
  for (let at = 0; at < keys; at++) await cache.store(`k${at}`, { value, tags: ['t'], ...forever })
  const files = await createFilesDriver({ folder })
  const address = { urls: [redis.url], prefix: 'bench' }
  const replicas = await Promise.all(
    Array.from({ length: 10 }, () => createRedisCache({ address })),
  )
  await fill(files)
  await fill(replicas[0])
  const noCompute = () => Promise.reject(new Error('It is there.'))
  const reads = [
    await measureReads('memory', (key) => cache.read(key, noCompute), 200_000),
    await measureReads('files', (key) => files.get(key), 10_000),
    await measureReads('Redis', (key) => replicas[0].get(key), 20_000),
  ]
  printTable(
    [
      ['10 kB from', 'store'],
      ['reads/s', 'reads/s'],
      ['p50 ms', 'p50'],
      ['p99 ms', 'p99'],
    ],
    reads,
  )
  const stamped = await stampede(replicas.slice(0, 3))
  console.log(
    `\nstampede: ${stamped.readers} readers in ${stamped.replicas} replicas, ${stamped.computed} computed`,
  )
  const heard = await invalidations(replicas, 500)
  console.log(
    `invalidation to ${heard.replicas} replicas: p50 ${heard.p50} ms, p99 ${heard.p99} ms`,
  )
  appendResults('cache', [
    ...reads,
    { store: 'stampede', ...stamped },
    { store: 'invalidation', ...heard },
  ])
  await Promise.all([files, ...replicas].map((driver) => driver.close()))
} finally {
  redis.stop()
  rmSync(folder, { recursive: true, force: true })
}
