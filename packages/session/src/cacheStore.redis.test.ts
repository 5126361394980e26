import { afterAll, beforeAll } from 'vitest'
import { redisDrivers } from '../../redis/src/testing/redisDrivers.ts'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../../redis/src/testing/redisServer.ts'
import { createCacheStore } from './cacheStore.ts'
import { sessionStoreSuite } from './testing/sessionStoreSuite.ts'

let server: RedisServer

const { openTwo } = redisDrivers(() => ({ urls: [server.url] }))

describeWithRedis('sessions in Redis, with two processes', () => {
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  sessionStoreSuite(async () => {
    const {
      drivers: [one, two],
    } = await openTwo()
    return [createCacheStore(() => one), createCacheStore(() => two)]
  })
})
