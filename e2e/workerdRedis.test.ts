import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
import { actionId } from './harness/actionId.ts'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { startWorkerd, type WorkerdServer } from './harness/workerd.ts'

// Allows requests to this machine, which workerd refuses by default.
const config = `using Workerd = import "/workerd/workerd.capnp";
using Built = import ".waymark/workerd/config.capnp";

const config :Workerd.Config = (
  services = [
    (name = "app", worker = Built.app),
    (name = "assets", disk = (allowDotfiles = true)),
    (name = "pages", disk = (allowDotfiles = true)),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "*:8080", http = (), service = "app")],
);
`

describeWithRedis('two workers in workerd with one Redis over HTTP', () => {
  let redis: RedisServer
  let gateway: HttpGateway
  let counter: Server
  let root: string
  let workers: readonly [WorkerdServer, WorkerdServer]
  /** Texts of the actions that ran. */
  const runs: string[] = []
  const storeEnv = () => ({ WAYMARK_REDIS_URL: gateway.url, WAYMARK_REDIS_TOKEN: gatewayToken })

  beforeAll(async () => {
    redis = await startRedis()
    gateway = await startHttpGateway(redis.url)
    counter = createServer(async (request, response) => {
      let text = ''
      for await (const piece of request) text += piece
      runs.push(text)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(counter, 'listening')
    root = await buildApp({ app: 'stores', env: { TARGET: 'workerd' } })
    writeFileSync(join(root, 'test.capnp'), config)
    const { port } = counter.address() as AddressInfo
    const env = { ...storeEnv(), COUNTER_URL: `http://127.0.0.1:${port}/` }
    const start = () => startWorkerd(root, env, 'test.capnp')
    workers = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    for (const worker of workers ?? []) await worker.kill()
    counter?.close()
    await gateway?.stop()
    await redis?.stop()
  })

  const read = async ({ origin }: WorkerdServer) => (await fetch(`${origin}/read`)).json()
  const readAll = () => Promise.all(workers.map(read))
  const pageOf = async ({ origin }: WorkerdServer) => {
    const html = await (await fetch(`${origin}/`)).text()
    return /id="value">([^<]*)</.exec(html)?.[1]
  }
  const post = ({ origin }: WorkerdServer, path: string) =>
    fetch(`${origin}${path}`, { method: 'POST' })

  test('share results and pages, and see each other’s invalidations', async () => {
    for (const worker of workers) {
      const [first] = await readAll()
      expect(await readAll()).toEqual([first, first])
      expect((await post(worker, '/invalidate')).status).toBe(200)
      await expect.poll(readAll, { timeout: 5_000 }).not.toContain(first)
      const [value] = await readAll()
      expect(await readAll()).toEqual([value, value])
      await expect.poll(() => Promise.all(workers.map(pageOf))).toEqual([value, value])
    }
  })

  test('run an action once, whichever worker gets it', async () => {
    const id = actionId({ root }, 'addNote')
    const send = async ({ origin }: WorkerdServer, text: string, key: string) => {
      const body = new FormData()
      body.append('_1_text', text)
      body.append('0', '["","$K1"]')
      const headers = {
        'waymark-action': id,
        'waymark-idempotency-key': key,
        'sec-fetch-site': 'same-origin',
      }
      const response = await fetch(`${origin}/notes`, { method: 'POST', headers, body })
      return [response.status, (await response.text()).includes(`"${text}"`)]
    }
    const [one, two] = workers
    for (let round = 0; round < 5; round++) {
      const key = `round-${round}-${process.pid}-${Date.now()}`
      const sending = [one, two, one, two].map((worker) => send(worker, `text ${round}`, key))
      expect(await Promise.all(sending)).toEqual(Array(4).fill([200, true]))
      expect(runs.filter((text) => text === `text ${round}`)).toHaveLength(1)
    }
  })

  test('write errors to a journal, in which a command finds them by their digest', async () => {
    const response = await post(workers[0], '/fail')
    expect(response.status).toBe(500)
    const digest = response.headers.get('x-waymark-digest') ?? ''
    const find = async () => (await runWaymark(['errors', digest], root, storeEnv())).stdout
    await expect.poll(find, { timeout: 10_000 }).toContain('This worker fails on purpose.')
  })

  test('serve while Redis is away, and share again after it is back', async () => {
    await redis.kill()
    for (const worker of workers) {
      expect((await fetch(`${worker.origin}/read`)).status).toBe(200)
      expect(await pageOf(worker)).toBeTruthy()
    }
    await redis.start()
    await expect
      .poll(
        async () => {
          await post(workers[0], '/invalidate')
          return new Set(await readAll()).size
        },
        { timeout: 20_000 },
      )
      .toBe(1)
  })

  test('answer after clients have left in the middle of requests', async () => {
    const leave = async (worker: WorkerdServer) => {
      const controller = new AbortController()
      const reading = fetch(`${worker.origin}/read`, { signal: controller.signal })
      setTimeout(() => controller.abort(), 2)
      await reading.catch(() => {})
    }
    for (let round = 0; round < 10; round++) {
      await post(workers[round % 2] as WorkerdServer, '/invalidate')
      await Promise.all(workers.flatMap((worker) => [leave(worker), leave(worker), leave(worker)]))
    }
    const startedAtMs = performance.now()
    await expect.poll(async () => new Set(await readAll()).size, { timeout: 10_000 }).toBe(1)
    expect(performance.now() - startedAtMs).toBeLessThan(5_000)
  })
})
