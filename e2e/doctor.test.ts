import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { startBuild } from './harness/startBuild.ts'

const secret = 'a secret of the tests, long enough'
let one: App
let two: App

beforeAll(async () => {
  // Build before the secret is set, because other suites share this build and need the build's own
  // secret.
  await buildApp({ app: 'fleet' })
  // Set the secret in this process's environment, which servers inherit.
  process.env.WAYMARK_SECRET = secret
  one = await startApp({ app: 'fleet', mode: 'production' })
  two = await startApp({ app: 'fleet', mode: 'production', args: ['--workers', '2'] })
})
afterAll(async () => {
  delete process.env.WAYMARK_SECRET
  await Promise.all([one, two].map((app) => app?.stop()))
})

const examine = (urls: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runWaymark(['doctor', ...urls, '--json'], one.root, { WAYMARK_SECRET: secret, ...env })

test('proves that servers of one build agree', async () => {
  const { exitCode, output } = await examine([one.origin, two.origin])
  const { servers, checks } = JSON.parse(output)
  expect(servers.map((server: { problem: unknown }) => server.problem)).toEqual([null, null])
  expect(servers[1].processes.length).toBe(2)
  const isOk = Object.fromEntries(
    checks.map((check: { name: string; ok: boolean }) => [check.name, check.ok]),
  )
  // All checks pass, because the servers run in the same folder and share the files of its cache.
  const all = [
    ...['build', 'keyRing', 'secret', 'variables', 'actions', 'clock', 'cache', 'invalidation'],
    ...['assets', 'streams', 'files', 'notFound', 'skew'],
  ]
  expect(isOk).toEqual(Object.fromEntries(all.map((name) => [name, true])))
  expect(exitCode).toBe(0)
  expect(output).not.toContain(secret)
})

test('finds no problem with a single server, and says so', async () => {
  const { exitCode, output } = await runWaymark(['doctor', one.origin], one.root, {
    WAYMARK_SECRET: secret,
  })
  expect(output).toMatch(/✓ same build id: [0-9a-f]{16}\n✓ same key ring: [0-9a-f]{12}\n/)
  expect(output).toMatch(/✓ all servers saw an invalidation within \d+ ms\n/)
  expect(exitCode).toBe(0)
})

test('reveals nothing without the secret', async () => {
  const url = `${one.origin}/_waymark/doctor`
  for (const init of [
    {},
    { method: 'POST' },
    { method: 'POST', headers: { 'waymark-doctor': '1.2.3.4.5' } },
  ]) {
    const answer = await fetch(url, init)
    // The server answers as it does for an unknown path: with 415 for a POST that calls no action.
    expect([404, 405, 415]).toContain(answer.status)
    expect(answer.headers.has('waymark-doctor')).toBe(false)
  }
  const other = await examine([one.origin], { WAYMARK_SECRET: 'another secret of the same length' })
  expect(other.exitCode).toBe(1)
  const { servers, checks, skipped } = JSON.parse(other.output)
  expect(servers[0].problem).toMatch(/^it responded with 4(?:0[45]|15) to a question/)
  expect(servers[0].problem).toContain(
    'Set WAYMARK_SECRET on that server to the same value as here',
  )
  // Anybody can run the other checks.
  expect(checks.map(({ name }: { name: string }) => name)).toEqual(outsideChecks)
  expect(skipped).toContain('streams')
})

const outsideChecks = ['build', 'files', 'notFound', 'skew']

test('checks from outside what needs no secret, and lists what it skips', async () => {
  // This folder has neither a build nor a secret. Its configuration lists the package.
  const elsewhere = mkdtempSync(join(dirname(one.root), 'doctor-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
  cpSync(join(one.root, 'vite.config.ts'), join(elsewhere, 'vite.config.ts'))
  const { exitCode, output } = await runWaymark(['doctor', one.origin], elsewhere, {
    WAYMARK_SECRET: '',
  })
  expect(output).toMatch(/^✓ same build id: [0-9a-f]{16}\n✓ all scripts and style sheets/)
  expect(output).toContain('– skipped: keyRing, secret, variables, actions, clock, cache,')
  expect(output).toContain('Set WAYMARK_SECRET here to the same value as on the servers')
  expect(exitCode).toBe(0)
})

test('uses the secret of the build if WAYMARK_SECRET is not set, and says so', async () => {
  // Servers inherit the variable from this process.
  delete process.env.WAYMARK_SECRET
  onTestFinished(() => {
    process.env.WAYMARK_SECRET = secret
  })
  const server = await startBuild(one.root)
  onTestFinished(() => server.stop())
  const alone = await runWaymark(['doctor', server.origin], one.root)
  expect(alone.output).toContain('✓ the server uses the secret of its build. Set WAYMARK_SECRET')
  expect(alone.exitCode).toBe(0)
  const other = await startBuild(one.root)
  onTestFinished(() => other.stop())
  const both = await runWaymark(['doctor', server.origin, other.origin], one.root)
  expect(both.output).toContain(`${other.origin}: WAYMARK_SECRET isn't set\n`)
  expect(both.output).toContain('Generate a secret with openssl rand -base64 32')
  expect(both.exitCode).toBe(1)
})

test('reports a missing argument or server', async () => {
  expect(await runWaymark(['doctor'], join(one.root, 'app'))).toMatchObject({ exitCode: 2 })
  const gone = await examine(['http://127.0.0.1:9'])
  expect(gone.exitCode).toBe(1)
  expect(gone.output).toContain("it can't be reached (ECONNREFUSED)")
})

test('names its package if the package is missing', async () => {
  const { exitCode, output } = await runWaymark(['doctor', one.origin], '/')
  expect(exitCode).toBe(2)
  expect(output).toContain('waymark doctor comes from @waymark/operations')
})
