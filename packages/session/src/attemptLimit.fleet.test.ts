import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { CacheDriver } from 'waymark/drivers'
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
import { createFilesDriver } from '../../waymark/src/cache/files/fileCacheDriver.ts'
import { createAttemptLimitOn } from './attemptLimit.ts'
import { createTestApp } from './testing/testBrowser.ts'

let server: RedisServer
let gateway: HttpGateway

/** For each store, a function that returns a function that opens a driver for the same data. */
const stores: Readonly<Record<string, () => () => Promise<CacheDriver>>> = {
  files: () => {
    const folder = mkdtempSync(join(tmpdir(), 'waymark-attempts-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return () => createFilesDriver({ folder })
  },
  Redis: () => openWithPrefix(redisDrivers(() => ({ urls: [server.url] }))),
  'Redis over HTTP': () =>
    openWithPrefix(redisDrivers(() => ({ urls: [gateway.url], token: gatewayToken }))),
}

function openWithPrefix({ openDriver }: ReturnType<typeof redisDrivers>) {
  const prefix = randomUUID()
  return () => openDriver({ prefix })
}

describeWithRedis('the limit of attempts in three processes', () => {
  beforeAll(async () => {
    server = await startRedis()
    gateway = await startHttpGateway(server.url)
  })
  afterAll(async () => {
    await gateway.stop()
    await server.stop()
  })

  test.each(Object.entries(stores))('counts them together, with %s', async (_, chooseStore) => {
    const open = chooseStore()
    const drivers = await Promise.all([open(), open(), open()])
    onTestFinished(async () => {
      for (const driver of drivers) await driver.close()
    })
    const limits = drivers.map((driver) => {
      const { app, createBrowser } = createTestApp({ driver })
      const limit = createAttemptLimitOn(
        { ...app, now: Date.now },
        { name: 'sign-in', perKey: 4, seconds: 60 },
      )
      return () => createBrowser().act(() => limit('ada'))
    })
    const attempts = await Promise.all(
      limits.flatMap((attempt) => [attempt(), attempt(), attempt(), attempt()]),
    )
    expect(attempts.filter(({ isAllowed }) => isAllowed)).toHaveLength(4)
  })
})
