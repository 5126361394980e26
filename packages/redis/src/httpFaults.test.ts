import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from 'redis'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { entryOf, entryText } from '../../testing/src/drivers/cacheDriverSuite.ts'
import { eventually } from '../../waymark/src/shared/testing/processes.ts'
import { createRedisCache } from './redisCacheDriver.ts'
import { gatewayToken, type HttpGateway, respond, startHttpGateway } from './testing/httpGateway.ts'
import { describeWithRedis, type RedisServer, startRedis } from './testing/redisServer.ts'

describeWithRedis('Redis over HTTP in trouble', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
    return () => server.stop()
  })

  /** Opens a driver at a gateway of its own. A timer would send requests, so it runs rarely. */
  async function open({ token = gatewayToken, timeoutMs = 1_000, url = server.url } = {}) {
    const gateway = await startHttpGateway(url)
    onTestFinished(() => gateway.stop())
    const log = vi.fn<(line: string) => void>()
    const address = { urls: [gateway.url] as const, prefix: randomUUID(), token }
    const openDriver = async () => {
      const driver = await createRedisCache({ address, log, timeoutMs, catchUpMs: 300_000 })
      onTestFinished(() => driver.close())
      return driver
    }
    const lines = () => log.mock.calls.map(([line]) => line)
    return { gateway, openDriver, driver: await openDriver(), lines }
  }

  test.each<[name: string, respondWith: Parameters<HttpGateway['intercept']>[0], line: RegExp]>([
    [
      'a page of a proxy',
      ({ response }) => respond(response, 200, '<h1>Maintenance</h1>'),
      /unavailable: its response isn't JSON but text\/html\. /,
    ],
    [
      'the error of a proxy',
      ({ response }) => respond(response, 503, '<h1>Unavailable</h1>'),
      /unavailable: it responded with status 503\. /,
    ],
    [
      'JSON of another program',
      ({ response }) => respond(response, 200, { ok: true }),
      /unavailable: its response has no result\. /,
    ],
    [
      'an error of a server that is still loading',
      ({ response }) => respond(response, 400, { error: 'LOADING Redis is loading' }),
      /unavailable: LOADING Redis is loading\. /,
    ],
    [
      'a redirect',
      ({ response }) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      /unavailable: it responded with status 307\. /,
    ],
    [
      'a closed connection',
      ({ response }) => response.destroy(),
      /unavailable: other side closed\. /,
    ],
    ['nothing', () => null, /unavailable: it did not respond within 300 ms\. /],
    [
      'an endless page',
      ({ response }) => {
        const piece = Buffer.alloc(2 ** 20, ' ')
        const write = () => {
          while (!response.destroyed && response.write(piece));
        }
        response.on('drain', write)
        write()
      },
      /unavailable: (?:its response has more than 67108864 bytes|it did not respond within 300 ms)\. /,
    ],
    [
      'the start of a very long response',
      ({ response }) => response.writeHead(200, { 'content-length': 10 ** 10 }).write('{'),
      /unavailable: its response has more than 67108864 bytes\. /,
    ],
  ])('%s is no reply, and the log says so once', async (_, respondWith, line) => {
    const { gateway, driver, lines } = await open({ timeoutMs: 300 })
    await driver.set('k', entryOf('v', { position: driver.position() }))
    gateway.intercept(respondWith)
    const startedAtMs = performance.now()
    for (let at = 0; at < 20; at++) {
      expect(await driver.get('k')).toBeNull()
      expect((await driver.lease(`l${at}`, 1_000)).kind).toBe('ours')
    }
    expect(performance.now() - startedAtMs).toBeLessThan(3_000)
    expect(lines()).toEqual([expect.stringMatching(line)])
    gateway.intercept(null)
    await eventually(async () => expect(entryText(await driver.get('k'))).toBe('v'))
    expect(lines()).toEqual([expect.anything(), expect.stringMatching(/is available again\.$/)])
  })

  test('a wrong token is reported with the name of the variable', async () => {
    const { lines } = await open({ token: 'wrong' })
    const line = /refused the token in WAYMARK_REDIS_TOKEN with status 401\. /
    expect(lines()).toEqual([expect.stringMatching(line)])
    expect(lines().join()).not.toContain('wrong')
  })

  test('an overloaded server gets no request before the time that it names', async () => {
    const { gateway, driver, lines } = await open()
    gateway.intercept(({ response }) => {
      response.setHeader('retry-after', '2')
      respond(response, 429, { error: 'Too many requests' })
    })
    expect(await driver.get('k')).toBeNull()
    const before = gateway.requests()
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(await driver.get('k')).toBeNull()
    expect(gateway.requests()).toBe(before)
    expect(lines()).toEqual([expect.stringMatching(/it responded with status 429\. /)])
  })

  test('a lease whose response is lost has one owner', async () => {
    const { gateway, driver, openDriver, lines } = await open()
    const other = await openDriver()
    let lost = 0
    gateway.intercept(async ({ response, body, serve, runOnly }) => {
      if (lost > 0 || !body.includes('"NX"')) return serve()
      lost++
      await runOnly()
      response.destroy()
    })
    expect((await driver.lease('k', 60_000)).kind).toBe('ours')
    expect(lost).toBe(1)
    expect((await other.lease('k', 60_000)).kind).toBe('running')
    expect(lines()).toEqual([])
  })

  test('an invalidation whose response is lost takes effect', async () => {
    const { gateway, driver, openDriver, lines } = await open()
    const other = await openDriver()
    await driver.set('k', entryOf('v', { tags: ['t'], position: driver.position() }))
    let lost = 0
    gateway.intercept(async ({ response, body, serve, runOnly }) => {
      if (lost > 0 || !body.includes('EVAL')) return serve()
      lost++
      await runOnly()
      response.destroy()
    })
    await driver.invalidate(['t'], 'expired')
    await driver.set('k', entryOf('new', { tags: ['t'], position: driver.position() }))
    await other.catchUp?.()
    expect(entryText(await driver.get('k'))).toBe('new')
    expect(entryText(await other.get('k'))).toBe('new')
    expect([lost, lines()]).toEqual([1, []])
  })

  test('a response that is cut off is requested again', async () => {
    const { gateway, driver, lines } = await open()
    await driver.set('k', entryOf('v', { position: driver.position() }))
    let cuts = 0
    gateway.intercept(({ response, serve }) => {
      if (cuts > 0) return void serve()
      cuts++
      response.writeHead(200, { 'content-length': 100 })
      response.write('{"result":"V')
      response.socket?.end()
    })
    expect(entryText(await driver.get('k'))).toBe('v')
    expect([cuts, lines()]).toEqual([1, []])
  })

  test('the token is never sent to another server', async () => {
    const received: unknown[] = []
    const other = createServer((request, response) => {
      received.push(request.headers)
      respond(response, 200, { result: null })
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    const { gateway, driver } = await open()
    gateway.intercept(({ response }) => {
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
      response.writeHead(308, { location }).end()
    })
    expect(await driver.get('k')).toBeNull()
    expect(received).toEqual([])
  })

  test('an entry that is too long for a request is not sent', async () => {
    const { gateway, driver, lines } = await open()
    const before = gateway.requests()
    await driver.set('k', entryOf('', { value: new Uint8Array(9 * 2 ** 20) }))
    expect(gateway.requests() - before).toBeLessThan(2)
    expect(lines()).toEqual([expect.stringMatching(/refused a command: it has 12\.6 million/)])
    expect(await driver.get('k')).toBeNull()
  })

  test('a full server gets an invalidation later', async () => {
    const full = await startRedis()
    onTestFinished(() => full.stop())
    const { driver, openDriver, lines } = await open({ url: full.url })
    const other = await openDriver()
    const heard: unknown[] = []
    other.onInvalidated(({ tags }) => heard.push(tags))
    const client = await createClient({ url: full.url }).connect()
    onTestFinished(() => client.destroy())
    await client.configSet('maxmemory', '1')
    await driver.invalidate(['t'], 'stale')
    await driver.invalidate(['t'], 'stale')
    expect(lines()).toEqual([expect.stringMatching(/refused a command: OOM/)])
    await client.configSet('maxmemory', '0')
    await driver.catchUp?.()
    await other.catchUp?.()
    expect(heard).toEqual([['t']])
  })

  test('is used again after it was away, and learns the invalidations of that time', async () => {
    const gone = await startRedis()
    onTestFinished(() => gone.stop())
    const { driver, openDriver, lines } = await open({ url: gone.url })
    await driver.set('k', entryOf('v', { tags: ['t'], position: driver.position() }))
    await gone.kill()
    expect(await driver.get('k')).toBeNull()
    await driver.invalidate(['t'], 'expired')
    await gone.start()
    await eventually(async () => {
      await driver.get('k')
      expect(lines().at(-1)).toMatch(/is available again\.$/)
    })
    const other = await openDriver()
    await driver.catchUp?.()
    await other.set('k', entryOf('old', { tags: ['t'], position: 1 }))
    expect(await other.get('k')).toBeNull()
    expect(lines()).toHaveLength(2)
  })
})
