import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { CacheDriver } from 'waymark/drivers'
import type { RedisAddress } from '../redisAddress.ts'
import { createRedisCache } from '../redisCacheDriver.ts'

/** How a driver differs from one that shares its store with nobody. */
export type RedisDriverOptions = {
  prefix?: string
  log?: (line: string) => void
  catchUpMs?: number
  leaseMs?: number
}

/** Opens drivers of a Redis. @param urls of its servers, asked for within tests */
export function redisDrivers(urls: () => RedisAddress['urls']) {
  function openDriver({
    prefix = randomUUID(),
    ...options
  }: RedisDriverOptions = {}): Promise<CacheDriver> {
    return createRedisCache({ address: { urls: urls(), prefix }, timeoutMs: 2_000, ...options })
  }

  /** Two drivers of one store, as of two processes; closed when the test ends. */
  async function openTwo(options: RedisDriverOptions = {}) {
    const prefix = randomUUID()
    const open = () => openDriver({ prefix, ...options })
    const drivers: [CacheDriver, CacheDriver] = [await open(), await open()]
    onTestFinished(async () => {
      for (const driver of drivers) await driver.close()
    })
    return { prefix, drivers }
  }

  return { openDriver, openTwo }
}
