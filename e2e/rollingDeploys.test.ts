import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../packages/redis/src/testing/redisServer.ts'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { type BuildServer, startBuild } from './harness/startBuild.ts'
import { startSwitchProxy } from './harness/switchProxy.ts'

const secret = 'a secret of the tests, long enough'
const folder = mkdtempSync(join(tmpdir(), 'waymark-rolling-'))
const writesFile = join(folder, 'writes.txt')

/**
 * Returns the folders of two builds of one app. Each folder has only the files of its own build.
 */
const roots = () =>
  Promise.all([
    buildApp({ app: 'fleet' }),
    buildApp({
      app: 'fleet',
      files: { 'app/_parts/label.ts': "export const label = 'B'\n" },
    }),
  ])

const serve = (root: string, env: Readonly<Record<string, string>>) =>
  startBuild(root, { WRITES_FILE: writesFile, WAYMARK_SECRET: secret, ...env })

/** Lists the assets of one build that the other build does not have. */
function exclusiveAssets(root: string, other: string): string[] {
  const filesOf = (each: string): string[] =>
    JSON.parse(readFileSync(join(each, '.waymark/assets.json'), 'utf8')).builds[0].files
  const others = new Set(filesOf(other))
  return filesOf(root).filter((name) => !others.has(name) && !/\.(br|gz)$/.test(name))
}

const urlOf = (origin: string, name: string) => `${origin}/_waymark/assets/${name}`
const doctor = (root: string, args: readonly string[]) =>
  runWaymark(['doctor', ...args, '--json'], root, { WAYMARK_SECRET: secret })
const assetsCheck = (output: string) =>
  JSON.parse(output).checks.find(({ name }: { name: string }) => name === 'assets')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeWithRedis('servers of two builds with separate disks and one Redis', () => {
  let redis: RedisServer
  let folders: readonly [string, string]
  const servers: BuildServer[] = []

  beforeAll(async () => {
    redis = await startRedis()
    folders = await roots()
    for (const root of folders) servers.push(await serve(root, { WAYMARK_REDIS_URL: redis.url }))
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await redis?.stop()
  })
  const originOf = (at: number) => servers[at % 2]?.origin ?? ''

  /**
   * Opens a page through a load balancer that alternates between the two servers.
   * @param first index of the server that gets the first request
   */
  async function openAt(first: number, href: string) {
    const balancer = await startSwitchProxy(originOf(0))
    onTestFinished(() => balancer.stop())
    balancer.choose((_target, turn) => originOf(first + turn))
    const visit = await openPage(balancer)
    await visit.page.goto(href)
    return { ...visit, balancer }
  }
  const clickTo = async (page: Page, href: string) => {
    await page.locator(`nav a[href="${href}"]`).click()
    await page.waitForURL((url) => url.pathname === href)
  }

  test('each serves the assets of the other build like its own', async () => {
    const [rootA, rootB] = folders
    for (const [at, names] of [
      [0, exclusiveAssets(rootB, rootA)],
      [1, exclusiveAssets(rootA, rootB)],
    ] as const) {
      expect(names.length).toBeGreaterThan(0)
      for (const name of names) {
        const [local, borrowed] = await Promise.all(
          [originOf(at + 1), originOf(at)].map((origin) => fetch(urlOf(origin, name))),
        )
        for (const header of ['cache-control', 'content-type', 'etag', 'content-encoding']) {
          expect(borrowed?.headers.get(header)).toBe(local?.headers.get(header))
        }
        expect([borrowed?.status, await borrowed?.text()]).toEqual([200, await local?.text()])
      }
    }
  })

  test.each([0, 1])('a page of build %i loads, hydrates, navigates and submits', async (first) => {
    const { page, balancer, expectQuietConsole } = await openAt(first, '/')
    await (await hydratedElement(page.locator('#home'))).click()
    await expect.poll(() => page.locator('#home').textContent()).toMatch(/[AB] 1/)
    await clickTo(page, '/later')
    await (await hydratedElement(page.locator('#later:visible'))).click()
    await expect.poll(() => page.locator('#later').textContent()).toMatch(/opened by [AB]/)
    await clickTo(page, '/notes')
    const input = await hydratedElement(page.locator('input[name=text]:visible'))
    await input.fill(`from ${first}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.locator('output:visible').textContent()).toBe(`from ${first}`)
    await clickTo(page, '/about')
    await (await hydratedElement(page.locator('#about:visible'))).click()
    await expect.poll(() => page.locator('#about:visible').textContent()).toMatch(/[AB] 1/)
    expect(balancer.requests.filter(({ status }) => status >= 400)).toEqual([])
    expectQuietConsole()
  })

  test('the doctor confirms that each server has the assets of all builds', async () => {
    const { output } = await doctor(
      folders[0],
      servers.map(({ origin }) => origin),
    )
    expect(assetsCheck(output)).toMatchObject({ ok: true })
  })
})

test('the doctor reports that servers without shared storage lack each other’s assets', async () => {
  const folders = await roots()
  const servers = await Promise.all(folders.map((root) => serve(root, {})))
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.stop()))
  })
  const [one, other] = servers.map(({ origin }) => origin) as [string, string]
  const { exitCode, output } = await doctor(folders[0], [one, other])
  expect(exitCode).toBe(1)
  const check = assetsCheck(output)
  expect(check.ok).toBe(false)
  expect(check.details.join('\n')).toContain(`${one} doesn't have`)
  expect(check.details.join('\n')).toContain('WAYMARK_REDIS_URL')

  // Serve the files of both builds, as an asset host has them after a push.
  const host = await serveFolder(join(folder, 'host'))
  const push = (root: string, ...args: string[]) =>
    runWaymark(['assets', 'push', join(folder, 'host'), '--json', ...args], root)
  expect(JSON.parse((await push(folders[0], '--dry-run')).output).pushed.count).toBeGreaterThan(0)
  expect(assetsCheck((await doctor(folders[0], [one, other, '--assets-at', host])).output).ok).toBe(
    false,
  )
  for (const root of folders) expect((await push(root)).exitCode).toBe(0)
  expect(assetsCheck((await doctor(folders[0], [one, other, '--assets-at', host])).output).ok).toBe(
    true,
  )
  expect(JSON.parse((await push(folders[1])).output).pushed.count).toBe(0)
})

/** Serves the files of a folder unchanged. */
async function serveFolder(root: string): Promise<string> {
  const server = createServer((req, res) => {
    const isThere = existsSync(join(root, new URL(req.url ?? '/', 'http://host').pathname))
    res.writeHead(isThere ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
