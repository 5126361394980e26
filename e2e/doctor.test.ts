import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'

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
  const all = ['build', 'keyRing', 'actions', 'clock', 'cache', 'invalidation', 'assets', 'files']
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
  expect(other.output).toMatch(
    /it responded with 4(?:0[45]|15)\. It has no WAYMARK_SECRET or a different one/,
  )
})

test('reports a missing argument, secret or server', async () => {
  expect(await runWaymark(['doctor'], join(one.root, 'app'))).toMatchObject({ exitCode: 2 })
  const without = await examine([one.origin], { WAYMARK_SECRET: '' })
  expect(without).toMatchObject({ exitCode: 2 })
  expect(without.output).toContain("WAYMARK_SECRET isn't set here")
  const gone = await examine(['http://127.0.0.1:9'])
  expect(gone.exitCode).toBe(1)
  expect(gone.output).toContain("it can't be reached (ECONNREFUSED)")
})

test('names its package if the package is missing', async () => {
  const { exitCode, output } = await runWaymark(['doctor', one.origin], '/')
  expect(exitCode).toBe(2)
  expect(output).toContain('waymark doctor comes from @waymark/operations')
})
