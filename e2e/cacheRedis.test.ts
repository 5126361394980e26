import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../packages/redis/src/testing/redisServer.ts'
import { type App, startApp } from './harness/app.ts'
import { expectRunsOnce } from './harness/fleetNotes.ts'
import { startSwitchProxy } from './harness/switchProxy.ts'

const replicas = [0, 1, 2]

describeWithRedis('three servers with one Redis', () => {
  let redis: RedisServer
  const apps: App[] = []
  const folder = mkdtempSync(join(tmpdir(), 'waymark-fleet-'))
  const writesFile = join(folder, 'writes.txt')

  /**
   * Runs a function with the fleet's settings in this process's environment, which servers inherit.
   * The build doesn't depend on these settings, so it can be shared.
   */
  async function withFleetEnv<T>(run: () => Promise<T>): Promise<T> {
    process.env.WAYMARK_REDIS_URL = redis.url
    process.env.WRITES_FILE = writesFile
    try {
      return await run()
    } finally {
      delete process.env.WAYMARK_REDIS_URL
      delete process.env.WRITES_FILE
    }
  }
  const startReplica = () => startApp({ app: 'cache', mode: 'production' })

  beforeAll(async () => {
    redis = await startRedis()
    apps.push(...(await withFleetEnv(() => Promise.all(replicas.map(startReplica)))))
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()))
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const originOf = (at: number) => apps[at % apps.length]?.origin ?? ''
  const read = async (at: number, query: string): Promise<number> => {
    const response = await fetch(`${originOf(at)}/read${query}`)
    expect(response.status).toBe(200)
    return response.json() as Promise<number>
  }
  const readAll = (query: string) => Promise.all(replicas.map((at) => read(at, query)))
  const invalidate = (at: number, tag: string, mode: string) =>
    fetch(`${originOf(at)}/invalidate`, {
      method: 'POST',
      body: JSON.stringify({ tag, mode }),
    })
  const linesOf = async (origin: string): Promise<string[]> => {
    const html = await (await fetch(`${origin}/written`)).text()
    return /id="lines">([^<]*)</.exec(html)?.[1]?.split(' ') ?? []
  }
  const pages = () => Promise.all(replicas.map((at) => linesOf(originOf(at))))

  /**
   * Starts a load balancer that alternates between replicas. If a GET gets no response, the load
   * balancer repeats it at a different replica.
   */
  async function startBalancer() {
    const options = { retries: 3, isRetried: (method?: string) => method === 'GET' }
    const balancer = await startSwitchProxy(originOf(0), options)
    onTestFinished(() => balancer.stop())
    balancer.choose((_target, turn) => originOf(turn))
    return balancer
  }

  /**
   * Starts four readers and two writers. Each of them sends one request after the other until
   * `stop` is called.
   */
  async function startLoad(name: string) {
    const { origin } = await startBalancer()
    const readStatuses: number[] = []
    const writeStatuses: number[] = []
    const completed: string[] = []
    let isOver = false
    onTestFinished(() => {
      isOver = true
    })
    const reader = async (readerId: number) => {
      for (let n = 0; !isOver; n++) {
        const path = n % 2 ? '/written' : `/read?post=${name}-${readerId}-${n % 8}`
        const answer = await fetch(`${origin}${path}`)
        await answer.text()
        readStatuses.push(answer.status)
      }
    }
    const writer = async (writerId: number) => {
      for (let n = 0; !isOver; n++) {
        const body = `${name}-${writerId}-${n}`
        const answer = await fetch(`${origin}/write`, { method: 'POST', body })
        await answer.text()
        writeStatuses.push(answer.status)
        if (answer.status === 200) completed.push(body)
      }
    }
    const clients = Promise.all([...[1, 2, 3, 4].map(reader), ...[5, 6].map(writer)])
    // Ignore the error here, because `stop` reports it.
    clients.catch(() => {})
    return {
      readStatuses,
      writeStatuses,
      completed,
      /** Resolves after the given number of further writes. */
      writes: (count: number) => {
        const enough = completed.length + count
        return expect.poll(() => completed.length).toBeGreaterThan(enough)
      },
      async stop() {
        isOver = true
        await clients
      },
    }
  }

  test('compute a result once for many concurrent requests', async () => {
    const runs = await Promise.all(Array.from({ length: 100 }, (_, at) => read(at, '')))
    expect(new Set(runs).size).toBe(1)
  })

  test('run a submission once, whichever server gets it', () =>
    expectRunsOnce({ WAYMARK_REDIS_URL: redis.url }))

  test('see invalidations of functions and pages by another server within a second', async () => {
    for (const at of replicas) {
      const [first] = await readAll('?post=x')
      expect(await readAll('?post=x')).toEqual([first, first, first])
      await invalidate(at, 'post:x', 'update')
      await expect.poll(() => readAll('?post=x'), { timeout: 1_000 }).not.toContain(first)
      expect(new Set(await readAll('?post=x')).size).toBe(1)
      await fetch(`${originOf(at)}/write`, { method: 'POST', body: `by-${at}` })
      const all = replicas.map(() => expect.arrayContaining([`by-${at}`]))
      await expect.poll(pages, { timeout: 1_000 }).toEqual(all)
    }
  })

  test('lose no acknowledged write when a server is killed', async () => {
    const load = await startLoad('killed')
    await load.writes(30)
    await apps[1]?.kill()
    await load.writes(30)
    apps[1] = await withFleetEnv(startReplica)
    await load.writes(30)
    await load.stop()
    expect(new Set(load.readStatuses)).toEqual(new Set([200]))
    // A write may fail, because the load balancer doesn't repeat it: the failed replica may have
    // run it already.
    expect(load.writeStatuses.filter((status) => status !== 200 && status !== 502)).toEqual([])
    const written = new Set(readFileSync(writesFile, 'utf8').split('\n'))
    expect(load.completed.filter((line) => !written.has(line))).toEqual([])
    const all = replicas.map(() => expect.arrayContaining(load.completed))
    await expect.poll(pages, { timeout: 1_000 }).toEqual(all)
  })

  test.each(['stay', 'are closed meanwhile'])(
    'respond with nothing outdated after a freeze in which connections to Redis %s',
    async (connections) => {
      const freezeMs = 2_500
      const pid = apps[0]?.pid ?? 0
      const line = `frozen-${connections.length}`
      // Wait until all servers have the page in memory.
      await expect.poll(pages).toEqual(replicas.map(() => expect.anything()))
      const before = await pages()
      const logged = apps[0]?.logs().length
      process.kill(pid, 'SIGSTOP')
      onTestFinished(() => void process.kill(pid, 'SIGCONT'))
      // Close the connections, so that the message about the invalidation is lost.
      if (connections !== 'stay') await redis.closeConnections()
      const written = await fetch(`${originOf(1)}/write`, { method: 'POST', body: line })
      expect(written.status).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, freezeMs))
      // Send the request while the process is stopped, so that the process reads it before any
      // message from Redis.
      const reading = linesOf(originOf(0))
      await new Promise((resolve) => setTimeout(resolve, 50))
      process.kill(pid, 'SIGCONT')
      expect(await reading).toEqual([...(before[0] ?? []), line].filter(Boolean))
      expect(apps[0]?.logs().slice(logged)).not.toContain('is unavailable')
    },
  )

  test('serve under load while Redis is away, and after it is back', async () => {
    const load = await startLoad('away')
    const before = await read(0, '?post=kept')
    await redis.kill()
    expect(await read(0, '?post=kept')).toBe(before)
    expect(await read(0, '?post=new')).toBeGreaterThan(0)
    await invalidate(0, 'post:kept', 'update')
    expect(await read(0, '?post=kept')).not.toBe(before)
    await load.writes(30)
    await redis.start()
    for (const app of apps) {
      const loggedStates = () => app.logs().match(/is (?:unavailable:|available again\.)/g) ?? []
      await expect.poll(() => loggedStates().at(-1)).toBe('is available again.')
      // Each change of state is logged once, so no line follows an identical one.
      expect(loggedStates().filter((line, at) => line === loggedStates()[at - 1])).toEqual([])
    }
    await load.writes(30)
    await load.stop()
    expect(new Set([...load.readStatuses, ...load.writeStatuses])).toEqual(new Set([200]))
    await invalidate(1, 'posts', 'update')
    const after = await read(0, '?post=kept')
    await expect.poll(() => readAll('?post=kept')).toEqual([after, after, after])
    const all = replicas.map(() => expect.arrayContaining(load.completed))
    await expect.poll(pages, { timeout: 1_000 }).toEqual(all)
  })
})
