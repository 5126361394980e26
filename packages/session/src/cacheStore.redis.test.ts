import { afterAll, beforeAll, describe } from 'vitest'
import {
  gatewayToken,
  type HttpGateway,
  startHttpGateway,
} from '../../redis/src/testing/httpGateway.ts'
import { redisDrivers } from '../../redis/src/testing/redisDrivers.ts'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../../redis/src/testing/redisServer.ts'
import { createCacheStore } from './cacheStore.ts'
import { sessionStoreSuite } from './testing/sessionStoreSuite.ts'

let server: RedisServer
let gateway: HttpGateway

const connections = {
  TCP: redisDrivers(() => ({ urls: [server.url] })),
  HTTP: redisDrivers(() => ({ urls: [gateway.url], token: gatewayToken })),
}

describeWithRedis('sessions in Redis, with two processes', () => {
  beforeAll(async () => {
    server = await startRedis()
    gateway = await startHttpGateway(server.url)
  })
  afterAll(async () => {
    await gateway.stop()
    await server.stop()
  })

  for (const [name, { openTwo }] of Object.entries(connections)) {
    describe(`over ${name}`, () =>
      sessionStoreSuite(async () => {
        const {
          drivers: [one, two],
        } = await openTwo()
        return [createCacheStore(() => one), createCacheStore(() => two)]
      }))
  }
})
