import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../packages/waymark/src/redis/testing/redisServer.ts'
import { type App, startApp } from './harness/app.ts'

describeWithRedis('two servers with one Redis', () => {
  let redis: RedisServer
  let apps: readonly App[] = []

  beforeAll(async () => {
    redis = await startRedis()
    // Not part of the build: it is made once, and served twice.
    process.env.WAYMARK_REDIS_URL = redis.url
    apps = await Promise.all([0, 1].map(() => startApp({ app: 'cache', mode: 'production' })))
    delete process.env.WAYMARK_REDIS_URL
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()))
    await redis.stop()
  })

  const read = async (at: number, query: string): Promise<number> => {
    const response = await fetch(`${apps[at]?.origin}/read${query}`)
    expect(response.status).toBe(200)
    return response.json() as Promise<number>
  }
  const invalidate = (at: number, tag: string, mode: string) =>
    fetch(`${apps[at]?.origin}/invalidate`, {
      method: 'POST',
      body: JSON.stringify({ tag, mode }),
    })

  test('compute a stampede once', async () => {
    const runs = await Promise.all(Array.from({ length: 100 }, (_, at) => read(at % 2, '')))
    expect(new Set(runs).size).toBe(1)
  })

  test('see what one has revalidated', async () => {
    const first = await read(0, '?post=x')
    expect(await read(1, '?post=x')).toBe(first)
    await invalidate(0, 'post:x', 'update')
    await expect.poll(() => read(1, '?post=x'), { timeout: 1_000 }).not.toBe(first)
    expect(await read(0, '?post=x')).toBe(await read(1, '?post=x'))
  })

  test('answer while Redis is away, and once it is back', async () => {
    const before = await read(0, '?post=kept')
    await redis.kill()
    expect(await read(0, '?post=kept')).toBe(before)
    expect(await read(0, '?post=new')).toBeGreaterThan(0)
    await invalidate(0, 'post:kept', 'update')
    expect(await read(0, '?post=kept')).not.toBe(before)
    await redis.start()
    await expect.poll(() => apps[0]?.logs(), { timeout: 10_000 }).toContain('is back')
    await expect.poll(() => apps[1]?.logs(), { timeout: 10_000 }).toContain('is back')
    const away = apps[0]?.logs().match(/is away/g) ?? []
    expect(away).toHaveLength(1)
    await invalidate(1, 'posts', 'update')
    const after = await read(0, '?post=kept')
    await expect.poll(() => read(1, '?post=kept')).toBe(after)
  })
})
