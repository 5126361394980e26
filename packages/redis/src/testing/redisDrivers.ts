import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { CacheDriver } from 'waymark/drivers'
import type { RedisAddress } from '../redisAddress.ts'
import { createRedisCache } from '../redisCacheDriver.ts'

/** Options of a driver. Without a prefix, the driver has a separate store. */
export type RedisDriverOptions = {
  prefix?: string
  log?: (line: string) => void
  catchUpMs?: number
  leaseMs?: number
}

/**
 * Opens drivers for a Redis server. @param locate returns the server's address; called within tests
 */
export function redisDrivers(locate: () => Omit<RedisAddress, 'prefix'>) {
  function openDriver({
    prefix = randomUUID(),
    ...options
  }: RedisDriverOptions = {}): Promise<CacheDriver> {
    return createRedisCache({ address: { ...locate(), prefix }, timeoutMs: 2_000, ...options })
  }

  /** Opens two drivers for one store, like two processes. The drivers are closed when the test ends. */
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
