import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cacheDriverSuite, entryOf, entryText } from '../../testing/src/drivers/cacheDriverSuite.ts'
import { journalDriverSuite, startMs } from '../../testing/src/drivers/journalDriverSuite.ts'
import { createAssetStore } from '../../waymark/src/cache/assetStore.ts'
import {
  leaseInTwoProcesses,
  runTwoProcesses,
} from '../../waymark/src/cache/testing/twoProcesses.ts'
import { eventually } from '../../waymark/src/shared/testing/processes.ts'
import { createRedisJournal } from './redisJournalDriver.ts'
import { gatewayToken, type HttpGateway, startHttpGateway } from './testing/httpGateway.ts'
import { redisDrivers } from './testing/redisDrivers.ts'
import { describeWithRedis, type RedisServer, startRedis } from './testing/redisServer.ts'

const program = new URL('./testing/storeProgram.ts', import.meta.url)

let server: RedisServer
let gateway: HttpGateway

const locate = () => ({ urls: [gateway.url] as const, token: gatewayToken })
const { openDriver, openTwo } = redisDrivers(locate)
const overTcp = redisDrivers(() => ({ urls: [server.url] }))

describeWithRedis('Redis over HTTP', () => {
  beforeAll(async () => {
    server = await startRedis()
    gateway = await startHttpGateway(server.url)
  })
  afterAll(async () => {
    await gateway.stop()
    await server.stop()
  })

  describe('a cache', () => cacheDriverSuite(() => openDriver(), { test, expect }))

  describe('a journal', () => {
    const open = () =>
      createRedisJournal({
        address: { ...locate(), prefix: randomUUID() },
        now: () => startMs,
        batchMs: 1,
      })
    journalDriverSuite(open, { test, expect })
  })

  describe('two processes', () => {
    /** Bundles the test program in a folder. @returns the store that the processes share */
    function openStore() {
      const outDir = mkdtempSync(path.join(tmpdir(), 'waymark-program-'))
      onTestFinished(() => rmSync(outDir, { recursive: true, force: true }))
      return { program, address: `${gateway.url} ${randomUUID()} ${gatewayToken}`, outDir }
    }

    test('write and read the same keys at once, as real processes for seconds', async () => {
      const reports = await runTwoProcesses(openStore(), { keys: 5, ms: 4_000 })
      for (const { reads, problems, lines } of reports) {
        expect([problems, lines]).toEqual([[], []])
        expect(reads.others).toBeGreaterThan(0)
      }
    })

    test('get each lease once, as real processes that lease the same names at once', async () => {
      const got = await leaseInTwoProcesses(openStore(), 1_000)
      expect(got.every((each) => each.length > 0)).toBe(true)
      expect(got.flat().length).toBe(new Set(got.flat()).size)
    })

    test('read entries and results that the other one has stored over TCP', async () => {
      const prefix = randomUUID()
      const tcp = await overTcp.openDriver({ prefix })
      const http = await openDriver({ prefix })
      onTestFinished(async () => {
        await tcp.close()
        await http.close()
      })
      const value = Uint8Array.from({ length: 256 }, (_, at) => at)
      for (const [writer, reader] of [
        [tcp, http],
        [http, tcp],
      ] as const) {
        await writer.set('k', entryOf('', { value, position: writer.position() }))
        expect((await reader.get('k'))?.value).toEqual(value)
        const name = randomUUID()
        const lease = await writer.lease(name, 60_000)
        expect((await reader.lease(name, 60_000)).kind).toBe('running')
        if (lease.kind === 'ours') await lease.complete(value)
        const done = await reader.lease(name, 60_000)
        expect(done.kind === 'done' && done.result).toEqual(value)
      }
    })
  })

  test('the assets of two builds are found by servers of both', async () => {
    const { drivers } = await openTwo()
    const stores = drivers.map((driver) => createAssetStore(driver))
    for (const [at, store] of stores.entries()) {
      const read = async () => Buffer.from(`code ${at}`)
      const files = [{ name: `${at}.js`, size: 6, read }]
      expect(await store.publish({ buildId: `build ${at}`, files })).toBe(true)
    }
    for (const store of stores) {
      const list = await store.list()
      const texts = [...list.values()].map(async (hash) =>
        new TextDecoder().decode((await store.read(hash)) ?? undefined),
      )
      expect((await Promise.all(texts)).toSorted()).toEqual(['code 0', 'code 1'])
    }
  })

  describe('invalidations by other processes', () => {
    test('are known within a second without any request', async () => {
      const {
        drivers: [one, two],
      } = await openTwo({ catchUpMs: 100 })
      const heard: unknown[] = []
      two.onInvalidated((invalidation) => heard.push(invalidation))
      await one.invalidate(['t', 'ä {b}'], 'expired')
      await eventually(() => expect(heard).toHaveLength(2))
    })

    test('hold up a request only if the log was not read for a while', async () => {
      const {
        drivers: [one, two],
      } = await openTwo({ catchUpMs: 300_000 })
      await one.set('k', entryOf('v', { tags: ['t'], position: one.position() }))
      expect(two.isBehind?.()).toBe(false)
      const before = gateway.requests()
      await two.catchUp?.()
      expect(gateway.requests() - before).toBe(1)
      await one.invalidate(['t'], 'expired')
      expect(entryText(await two.get('k'))).toBe('v')
      await two.catchUp?.()
      expect(await two.get('k')).toBeNull()
    })

    test('are known to every request with a limit of 0', async () => {
      const {
        drivers: [, two],
      } = await openTwo({ catchUpMs: 0 })
      expect(two.isBehind?.()).toBe(true)
    })
  })
})
