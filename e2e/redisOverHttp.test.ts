import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  gatewayToken,
  type HttpGateway,
  startHttpGateway,
} from '../packages/redis/src/testing/httpGateway.ts'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../packages/redis/src/testing/redisServer.ts'
import { type App, startApp } from './harness/app.ts'
import { runWaymark } from './harness/commandLine.ts'
import { expectRunsOnce } from './harness/fleetNotes.ts'

describeWithRedis('two servers with one Redis over HTTP', () => {
  let redis: RedisServer
  let gateway: HttpGateway
  let apps: readonly [App, App]
  const folder = mkdtempSync(join(tmpdir(), 'waymark-fleet-'))
  const storeEnv = () => ({ WAYMARK_REDIS_URL: gateway.url, WAYMARK_REDIS_TOKEN: gatewayToken })

  beforeAll(async () => {
    redis = await startRedis()
    gateway = await startHttpGateway(redis.url)
    // Set the variables in this process's environment, which servers inherit. The build doesn't
    // depend on them, so it can be shared.
    Object.assign(process.env, storeEnv(), { WRITES_FILE: join(folder, 'writes.txt') })
    try {
      const start = () => startApp({ app: 'cache', mode: 'production' })
      apps = await Promise.all([start(), start()])
    } finally {
      for (const name of [...Object.keys(storeEnv()), 'WRITES_FILE']) delete process.env[name]
    }
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()))
    await gateway.stop()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const read = async (app: App, query: string): Promise<number> => {
    const response = await fetch(`${app.origin}/read${query}`)
    expect(response.status).toBe(200)
    return response.json() as Promise<number>
  }
  const readAll = (query: string) => Promise.all(apps.map((app) => read(app, query)))
  const post = (app: App, path: string, body: string) =>
    fetch(`${app.origin}${path}`, { method: 'POST', body })
  const invalidate = (app: App, tag: string) =>
    post(app, '/invalidate', JSON.stringify({ tag, mode: 'update' }))
  const linesOf = async ({ origin }: App): Promise<string[]> => {
    const html = await (await fetch(`${origin}/written`)).text()
    return /id="lines">([^<]*)</.exec(html)?.[1]?.split(' ') ?? []
  }

  test('compute a result once for many concurrent requests', async () => {
    const runs = await Promise.all(
      Array.from({ length: 100 }, (_, at) => read(apps[at % 2] as App, '')),
    )
    expect(new Set(runs).size).toBe(1)
  })

  test('run a submission once, whichever server gets it', () => expectRunsOnce(storeEnv()))

  test('see invalidations of functions and pages by the other server within a second', async () => {
    for (const [at, app] of apps.entries()) {
      const [first] = await readAll('?post=x')
      expect(await readAll('?post=x')).toEqual([first, first])
      await invalidate(app, 'post:x')
      await expect.poll(() => readAll('?post=x'), { timeout: 1_500 }).not.toContain(first)
      expect(new Set(await readAll('?post=x')).size).toBe(1)
      await post(app, '/write', `by-${at}`)
      const both = apps.map(() => expect.arrayContaining([`by-${at}`]))
      await expect.poll(() => Promise.all(apps.map(linesOf)), { timeout: 1_500 }).toEqual(both)
    }
  })

  test('share a journal, in which a command finds an error by its digest', async () => {
    const [one] = apps
    const response = await post(one, '/invalidate', 'null')
    expect(response.status).toBe(500)
    const digest = response.headers.get('x-waymark-digest') ?? ''
    const find = async () => (await runWaymark(['errors', digest], one.root, storeEnv())).stdout
    await expect.poll(find, { timeout: 10_000 }).toContain('TypeError')
  })

  test('respond with nothing outdated after a freeze', async () => {
    const [frozen, other] = apps
    const pid = frozen.pid ?? 0
    const before = await linesOf(frozen)
    process.kill(pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(pid, 'SIGCONT'))
    expect((await post(other, '/write', 'frozen')).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    // Send the request while the process is stopped, so that it is the first thing that the process
    // reads.
    const reading = linesOf(frozen)
    await new Promise((resolve) => setTimeout(resolve, 50))
    process.kill(pid, 'SIGCONT')
    expect(await reading).toEqual([...before, 'frozen'].filter(Boolean))
  })

  test('serve while Redis is away, and share again after it is back', async () => {
    const [one, two] = apps
    const before = await read(one, '?post=kept')
    await redis.kill()
    expect(await read(one, '?post=kept')).toBe(before)
    expect(await read(two, '?post=new')).toBeGreaterThan(0)
    await invalidate(one, 'post:kept')
    expect(await read(one, '?post=kept')).not.toBe(before)
    await redis.start()
    for (const app of apps) {
      const states = () => app.logs().match(/is (?:unavailable:|available again\.)/g) ?? []
      await expect.poll(() => states().at(-1), { timeout: 10_000 }).toBe('is available again.')
      // Each change of state is logged once, so no line follows an identical one.
      expect(states().filter((line, at) => line === states()[at - 1])).toEqual([])
    }
    await invalidate(two, 'posts')
    const after = await read(two, '?post=kept')
    await expect.poll(() => readAll('?post=kept')).toEqual([after, after])
  })
})
