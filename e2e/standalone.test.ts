import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../scripts/workspace/run.mjs'
import { appEnv } from './harness/appEnv.ts'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { freePort } from './harness/freePort.ts'
import { layOutImage, noImageBecause } from './harness/image.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { startServer } from './harness/serverProcess.ts'

test('the program contains only the core, and the packages of the app are next to it', async () => {
  const root = await buildApp({ app: 'fleet' })
  const read = (name: string) => readFileSync(join(root, '.waymark', name), 'utf8')
  const program = read('server.js')
  const packages = read('runtime.js')
  for (const name of ['createSupervisor', 'createRedisCache']) {
    expect(packages).toContain(name)
    expect(program).not.toContain(name)
  }
})

test('a built folder serves the app without any other files', async () => {
  const root = await buildApp({ app: 'fleet' })
  const empty = mkdtempSync(join(tmpdir(), 'waymark-alone-'))
  onTestFinished(() => rmSync(empty, { recursive: true, force: true }))
  cpSync(join(root, '.waymark'), join(empty, 'built'), { recursive: true })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await startServer({
    args: ['built/server.js', '--port', `${port}`, '--workers', '2'],
    cwd: empty,
    env: appEnv(),
    listening: origin,
    startWithinMs: 60_000,
  })
  const { page, expectQuietConsole } = await openPage({ origin })
  await page.goto('/')
  await (await hydratedElement(page.locator('#home'))).click()
  await expect.poll(() => page.locator('#home').textContent()).toBe('A 1')
  await page.locator('nav a[href="/about"]').click()
  await page.getByRole('heading', { name: 'About A' }).waitFor()
  expectQuietConsole()
  await server.stop()
})

if (noImageBecause) console.warn(`Skipped: what the image runs. Here ${noImageBecause}.`)
test.skipIf(noImageBecause)(
  'the image runs as an unprivileged user, and ends on a signal',
  async () => {
    const image = layOutImage(join(await buildApp({ app: 'fleet' }), '.waymark'))
    onTestFinished(image.remove)
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const env = appEnv({
      ...image.env,
      PORT: `${port}`,
      // Container runtimes set this variable to the container's id. The server listens on all addresses.
      HOSTNAME: '3f1c2a9b7d10',
      WAYMARK_SECRET: 's'.repeat(32),
      WAYMARK_REDIS_URL: 'none',
    })
    const server = await startServer({
      ...image.asUser(image.command.map((word) => (word === '5s' ? '1s' : word))),
      cwd: image.folder,
      env,
      listening: origin,
      startWithinMs: 60_000,
    })
    const { program, args } = image.asUser(image.healthcheck)
    const check = () => run(program, args, { cwd: image.folder, env, quiet: true })
    expect((await check()).exitCode).toBe(0)
    expect((await fetch(`${origin}/about`)).status).toBe(200)
    // The server may write only its journal, not any other file of the image.
    const body = new URLSearchParams({ text: 'a line' })
    expect((await fetch(`${origin}/api/writes`, { method: 'POST', body })).status).toBe(500)
    await expect.poll(server.logs).toContain('EACCES')
    const listErrors = async () => (await runWaymark(['errors', image.folder], tmpdir())).output
    // The journal can also be read in a folder that was copied out of a container.
    await expect.poll(listErrors).toContain('/api/writes')

    const stopped = server.stop()
    const ready = async () => (await fetch(`${origin}/_waymark/health/ready`)).status
    await expect.poll(ready).toBe(503)
    expect((await fetch(`${origin}/about`)).status).toBe(200)
    await stopped
    expect((await check()).exitCode).toBe(1)
  },
)

// Platforms such as Coolify can withhold a variable from the build or from the server.
test('a build without the address of its store succeeds, and its server says what is missing', async () => {
  const root = await buildApp({ app: 'fleet' })
  const elsewhere = mkdtempSync(join(tmpdir(), 'waymark-alone-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
  cpSync(join(root, '.waymark'), join(elsewhere, '.waymark'), { recursive: true })
  const start = async (env: Record<string, string>) => {
    const port = await freePort()
    return startServer({
      args: ['.waymark/server.js', '--port', `${port}`],
      cwd: elsewhere,
      env: appEnv(env),
      listening: `http://localhost:${port}`,
      startWithinMs: 60_000,
    })
  }
  const message =
    "The app lists a store for its cache and journal, but WAYMARK_REDIS_URL isn't set."
  // With a secret, the app may run on several servers, whose caches would differ.
  const failure = await start({ WAYMARK_SECRET: 's'.repeat(32) }).catch(String)
  expect(failure).toContain(message)
  expect(failure).toContain(
    'Set WAYMARK_REDIS_URL where the server runs, not only where it is built',
  )
  const single = await start({})
  onTestFinished(() => single.stop())
  expect(single.logs()).toContain(message)
})

test.each([
  { args: ['--prot', '1'], message: "Unknown option '--prot'" },
  { args: ['errors'], message: "Unexpected argument 'errors'" },
])('a built folder does not start with $args', async ({ args, message }) => {
  const root = await buildApp({ app: 'fleet' })
  const starting = startServer({
    args: [join(root, '.waymark/server.js'), ...args],
    cwd: tmpdir(),
    env: appEnv(),
    listening: 'never',
    startWithinMs: 60_000,
  })
  const failure = await starting.catch(String)
  expect(failure).toContain(message)
  expect(failure).toContain('See node server.js --help.')
})
