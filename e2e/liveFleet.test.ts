import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
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
import { buildApp } from './harness/appFolder.ts'
import { add, livePath, notes, open } from './harness/livePages.ts'
import { type BuildServer, startBuild } from './harness/startBuild.ts'
import { type SwitchProxy, startSwitchProxy } from './harness/switchProxy.ts'

const secret = 'a secret of the tests, long enough'
const folder = mkdtempSync(join(tmpdir(), 'waymark-live-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
/** Returns a new file for notes, which all servers of a test share. */
const notesFile = () => join(folder, `notes-${count++}.txt`)

const serve = (root: string, env: Readonly<Record<string, string>>) =>
  startBuild(root, { WAYMARK_SECRET: secret, ...env })

async function startBalancer(first: string): Promise<SwitchProxy> {
  const balancer = await startSwitchProxy(first, { retries: 2 })
  onTestFinished(() => balancer.stop())
  return balancer
}

/** Defines a suite for several servers of one build that share a cache. */
function describeFleet(name: string, cache: () => Readonly<Record<string, string>>) {
  describe(`two servers with ${name}`, () => {
    const servers: BuildServer[] = []
    beforeAll(async () => {
      const root = await buildApp({ app: 'live' })
      const env = { NOTES_FILE: notesFile(), ...cache() }
      servers.push(...(await Promise.all([serve(root, env), serve(root, env)])))
    })
    afterAll(() => Promise.all(servers.map((server) => server.stop())))
    const [one, other] = [0, 1].map((at) => () => servers[at] as BuildServer) as [
      () => BuildServer,
      () => BuildServer,
    ]

    test('a change appears even if another server renders than the one that reports it', async () => {
      const balancer = await startBalancer(one().origin)
      // Send only the live connection to the server that reports the change. The other server
      // renders the page, and doesn't know the change yet.
      balancer.choose((target) => (target === livePath ? one() : other()).origin)
      const { page } = await open(balancer, '/board')
      for (let round = 0; round < 3; round++) {
        await page.waitForTimeout(round * 400)
        await add(one(), `here ${round} ${name}`)
        await expect.poll(() => notes(page)).toContain(`here ${round} ${name}`)
        await add(other(), `there ${round} ${name}`)
        await expect.poll(() => notes(page)).toContain(`there ${round} ${name}`)
      }
      // Wait until the last check is so old that the page is fetched without a check.
      await page.waitForTimeout(6_500)
      await add(one(), `later ${name}`)
      await expect.poll(() => notes(page)).toContain(`later ${name}`)
    })

    test('everybody sees a change by an action, whichever server gets each request', async () => {
      const balancer = await startBalancer(one().origin)
      balancer.choose((_target, turn) => (turn % 2 ? one() : other()).origin)
      const { page: acting } = await open(balancer, '/board')
      const { page } = await open(balancer, '/board')
      for (let round = 0; round < 4; round++) {
        await acting.getByLabel('Note').fill(`by action ${round} ${name}`)
        await acting.getByRole('button', { name: 'Add' }).click()
        await expect.poll(() => notes(acting)).toContain(`by action ${round} ${name}`)
        await expect.poll(() => notes(page)).toContain(`by action ${round} ${name}`)
      }
    })
  })
}

describeFleet('the same cache folder', () => ({ WAYMARK_CACHE_DIR: join(folder, 'cache') }))

describeWithRedis('live pages with Redis', () => {
  let redis: RedisServer
  let gateway: HttpGateway
  beforeAll(async () => {
    redis = await startRedis()
    gateway = await startHttpGateway(redis.url)
  })
  afterAll(async () => {
    await gateway?.stop()
    await redis?.stop()
  })

  describeFleet('one Redis', () => ({ WAYMARK_REDIS_URL: redis.url }))

  describeFleet('one Redis over HTTP', () => ({
    WAYMARK_REDIS_URL: gateway.url,
    WAYMARK_REDIS_TOKEN: gatewayToken,
  }))

  test('changes while Redis is away appear afterwards', async () => {
    const root = await buildApp({ app: 'live' })
    const env = { NOTES_FILE: notesFile(), WAYMARK_REDIS_URL: redis.url }
    const servers = await Promise.all([serve(root, env), serve(root, env)])
    onTestFinished(() => Promise.all(servers.map((server) => server.stop())).then(() => {}))
    const [one, other] = servers
    const balancer = await startBalancer(one.origin)
    const { page } = await open(balancer, '/board')
    await add(other, 'before')
    await expect.poll(() => notes(page)).toContain('before')
    await redis.kill()
    onTestFinished(() => redis.start())
    await add(other, 'meanwhile')
    await page.waitForTimeout(1_500)
    expect(await notes(page)).not.toContain('meanwhile')
    await add(one, 'here meanwhile')
    await expect.poll(() => notes(page)).toContain('here meanwhile')
    await add(other, 'at last')
    await redis.start()
    await expect.poll(() => notes(page)).toContain('at last')
  })

  describe('while a new build replaces the old one', () => {
    let roots: readonly [string, string]
    const label = "export const label = 'The new board'\n"
    beforeAll(async () => {
      roots = await Promise.all([
        buildApp({ app: 'live' }),
        buildApp({ app: 'live', files: { 'app/board/label.ts': label } }),
      ])
    })

    /** Opens a page of the old build, whose server shuts down just after a change. */
    async function deploy(text: string) {
      const env = { NOTES_FILE: notesFile(), WAYMARK_REDIS_URL: redis.url }
      const [old, next] = await Promise.all(roots.map((root) => serve(root, env)))
      if (!old || !next) throw new Error('Two servers are needed.')
      onTestFinished(async () => {
        const running = [old, next].filter((server) => server.exitCode() === null)
        await Promise.all(running.map((server) => server.stop()))
      })
      const balancer = await startBalancer(old.origin)
      const { page } = await open(balancer, '/board')
      await page.evaluate(() => Object.assign(window, { isOldDocument: true }))
      if (text) await page.getByLabel('Draft').fill(text)
      const isOldDocument = () => page.evaluate(() => 'isOldDocument' in window)
      return { old, next, balancer, page, isOldDocument }
    }

    /** Resolves once the page waits for changes at the given server. */
    const moved = ({ requests }: SwitchProxy, { origin }: BuildServer) =>
      expect
        .poll(() => requests.some((each) => each.target === livePath && each.origin === origin), {
          timeout: 15_000,
        })
        .toBe(true)

    test('a page is not reloaded until a change brings data of the new build', async () => {
      const { old, next, balancer, page, isOldDocument } = await deploy('')
      balancer.choose(() => next.origin)
      await old.stop()
      await moved(balancer, next)
      await page.waitForTimeout(1_500)
      expect(await isOldDocument()).toBe(true)
      await add(next, 'of the new build')
      const heading = page.getByRole('heading')
      await expect.poll(() => heading.textContent()).toBe('The new board')
      expect(await notes(page)).toContain('of the new build')
      expect(await isOldDocument()).toBe(false)
    })

    test('typed text stays', async () => {
      const { old, next, balancer, page, isOldDocument } = await deploy('half a sentence')
      balancer.choose(() => next.origin)
      await old.stop()
      await moved(balancer, next)
      await add(next, 'of the new build')
      const open = page.getByRole('button', { name: /open/i })
      await open.waitFor()
      await page.waitForTimeout(3_000)
      expect(await isOldDocument()).toBe(true)
      expect(await page.getByLabel('Draft').inputValue()).toBe('half a sentence')
      await open.click()
      await expect.poll(() => notes(page)).toContain('of the new build')
    })

    test('a change of a server that ends is not lost', async () => {
      const { old, next, balancer, page } = await deploy('')
      balancer.choose(() => next.origin)
      expect((await add(old, 'the last word')).status).toBe(204)
      // Stop the server before it has notified pages.
      await old.stop()
      await expect.poll(() => notes(page)).toContain('the last word')
    })
  })
})
