import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { freePort } from './harness/freePort.ts'
import { type BuildServer, startBuild } from './harness/startBuild.ts'
import { startSwitchProxy } from './harness/switchProxy.ts'
import { nginx } from './harness/webServer.ts'

// Breaks deployments in the ways in which deployments break, and asks `waymark doctor` about them.

const secret = 'a secret of the tests, long enough'
const env = { WAYMARK_SECRET: secret }
let root: string
let app: BuildServer

beforeAll(async () => {
  root = await buildApp({ app: 'fleet' })
  app = await startBuild(root, env, ['--trust-proxy', 'loopback'])
})
afterAll(() => app?.stop())

type Finding = { readonly name: string; readonly ok: boolean; readonly details: string[] }

async function examine(urls: readonly string[], cwd = root, more: Record<string, string> = env) {
  const { exitCode, output } = await runWaymark(['doctor', ...urls, '--json'], cwd, more)
  const { servers, checks, skipped } = JSON.parse(output)
  const failed: Finding[] = checks.filter(({ ok }: Finding) => !ok)
  return {
    exitCode,
    servers,
    skipped,
    names: failed.map(({ name }) => name),
    detailsOf: (name: string) => failed.find((check) => check.name === name)?.details ?? [],
  }
}

/** Copies a build into a folder of its own, from which the app's packages can be found, too. */
function copyBuild(from = root): string {
  const folder = mkdtempSync(join(dirname(from), 'faults-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(from, folder, { recursive: true })
  return folder
}

/** Copies the configuration only, as on a machine that has neither a build nor a secret. */
function copyConfiguration(): string {
  const folder = mkdtempSync(join(dirname(root), 'faults-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(root, 'vite.config.ts'), join(folder, 'vite.config.ts'))
  return folder
}

const withoutSecret = (url: string) => examine([url], copyConfiguration(), { WAYMARK_SECRET: '' })

async function serve(folder: string, more: Record<string, string> = {}): Promise<BuildServer> {
  const server = await startBuild(folder, { ...env, ...more })
  onTestFinished(() => server.stop())
  return server
}

if (nginx.program === null) console.warn('Skipped: nginx is not installed.')
describe.skipIf(nginx.program === null)('behind nginx', () => {
  const front = async (change: (file: string) => string) => {
    const port = Number(new URL(app.origin).port)
    const server = await nginx.start({ root, ports: [await freePort(), port], change })
    onTestFinished(() => server.stop())
    await vi.waitFor(async () => expect((await fetch(server.origin)).status).toBe(200), 10_000)
    return server.origin
  }
  const compress =
    'gzip on; gzip_proxied any; gzip_min_length 0; gzip_types text/x-component text/event-stream;'

  test('the configuration in deploy/ passes', async () => {
    expect(await examine([await front((file) => file)])).toMatchObject({ exitCode: 0, names: [] })
  })

  // Without this line, nginx uses HTTP/1.0, whose responses have no chunks that it could pass on.
  const version = 'proxy_http_version 1.1;'

  test('buffered responses are found, and the remedy works', async () => {
    const origin = await front((file) =>
      file.replace(version, '').replace('proxy_buffering off', 'proxy_buffering on'),
    )
    const { exitCode, names, detailsOf } = await examine([app.origin, origin])
    expect([exitCode, names]).toEqual([1, ['streams']])
    // Live data has a header that turns off the buffering of nginx.
    expect(detailsOf('streams')).toEqual([
      `${origin}: pages (text/html) arrive only at their end`,
      `${origin}: page data (text/x-component) arrive only at their end`,
      `In the nginx at ${origin}, add proxy_buffering off; to each location with proxy_pass, and reload nginx.`,
    ])
    const mended = await front((file) => file.replace(version, ''))
    expect(await examine([mended])).toMatchObject({ exitCode: 0, names: [] })
  })

  test('compressed responses pass if nginx sends each piece', async () => {
    const origin = await front((file) => file.replace('server_name', `${compress} server_name`))
    const response = await fetch(`${origin}/slow`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await examine([origin])).toMatchObject({ exitCode: 0, names: [] })
  })

  test('buffered and compressed responses are found', async () => {
    const origin = await front((file) =>
      file
        .replace('proxy_buffering off', 'proxy_buffering on')
        .replace('server_name', `${compress} server_name`),
    )
    const { names, detailsOf } = await examine([origin])
    expect(names).toEqual(['streams'])
    expect(detailsOf('streams').at(-1)).toContain('proxy_buffering off;')
  })

  test('a page in place of a missing script is found without the secret', async () => {
    const origin = await front((file) =>
      file
        .replace('error_page 403 404 = @app', 'error_page 403 404 =200 /robots.txt')
        .replace('location @app', 'location = /robots.txt { return 200 "page"; } location @app'),
    )
    const { names, detailsOf } = await withoutSecret(origin)
    expect(names).toEqual(['notFound'])
    expect(detailsOf('notFound')[1]).toContain(`CDN in front of ${origin} respond with 404`)
  })

  test('a proxy that removes headers is found without the secret', async () => {
    const origin = await front((file) =>
      file.replace('proxy_buffering off', 'proxy_hide_header waymark-build; proxy_buffering off'),
    )
    const { names, detailsOf } = await withoutSecret(origin)
    expect(names).toEqual(['skew'])
    expect(detailsOf('skew')[1]).toContain('pass on all response headers')
  })
})

test('replicas without a shared store are found through their common address', async () => {
  const replicas = [await serve(copyBuild()), await serve(copyBuild())]
  const balancer = await startSwitchProxy(replicas[0]?.origin ?? '')
  onTestFinished(() => balancer.stop())
  balancer.choose((_target, turn) => replicas[turn % 2]?.origin ?? '')
  const { exitCode, names, detailsOf } = await examine([balancer.origin])
  expect([exitCode, names]).toEqual([1, ['cache']])
  expect(detailsOf('cache')[0]).toContain(`${balancer.origin} doesn't have the entry`)
  expect(detailsOf('cache')[1]).toContain('Set WAYMARK_REDIS_URL to the same address')
})

test('replicas of two builds are found without the secret, with the files that one lacks', async () => {
  const other = await buildApp({
    app: 'fleet',
    files: { 'app/_parts/label.ts': "export const label = 'B'\n" },
  })
  const replicas = [await serve(copyBuild()), await serve(copyBuild(other))]
  const balancer = await startSwitchProxy(replicas[0]?.origin ?? '')
  onTestFinished(() => balancer.stop())
  let request = 0
  // Send each of two requests in a row to the same replica, as a page and its data.
  balancer.choose(() => replicas[Math.floor(request++ / 2) % 2]?.origin ?? '')
  const { exitCode, names, skipped } = await withoutSecret(balancer.origin)
  expect([exitCode, names]).toEqual([1, ['build', 'files']])
  expect(skipped).toContain('assets')
})

test('a deleted file of an earlier build is found', async () => {
  const folder = copyBuild()
  const list = join(folder, '.waymark/assets.json')
  const assets = JSON.parse(readFileSync(list, 'utf8'))
  // An earlier build's list contains a file that somebody has deleted.
  assets.builds.push({ ...assets.builds[0], files: ['of-an-earlier-build-abc12345.js'] })
  writeFileSync(list, JSON.stringify(assets))
  const server = await serve(folder)
  const { names, detailsOf } = await examine([server.origin])
  expect(names).toEqual(['assets'])
  expect(detailsOf('assets')[0]).toBe(
    `${server.origin} doesn't have of-an-earlier-build-abc12345.js from an earlier build`,
  )
  expect(detailsOf('assets')[1]).toContain('--assets-from')
})

test('a server without the variables of .env is found, and the values stay secret', async () => {
  const folder = copyBuild()
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=postgres://user:password@host\nPUBLIC_KEY=a\n')
  writeFileSync(join(folder, '.env.example'), 'MAIL_KEY=\nDATABASE_URL=\n')
  // This server runs in a different folder, as in a container, and doesn't read the file.
  const { names, detailsOf } = await examine([app.origin], folder)
  expect(names).toEqual(['variables'])
  expect(detailsOf('variables')).toEqual([
    `${app.origin}: DATABASE_URL isn't set (it is in .env)`,
    `${app.origin}: MAIL_KEY isn't set (it is in .env.example)`,
    expect.stringContaining('for run time'),
  ])
  const complete = await serve(copyBuild(), { DATABASE_URL: 'other', MAIL_KEY: 'key' })
  expect((await examine([complete.origin], folder)).names).toEqual([])
})

test('a server without the secret is named, with what to do', async () => {
  // The server has the secret of its build. The command has the secret of the other servers.
  const server = await serve(copyBuild(), { WAYMARK_SECRET: '' })
  const { exitCode, servers, skipped } = await examine([app.origin, server.origin])
  expect(exitCode).toBe(1)
  expect(servers[0].problem).toBeNull()
  expect(servers[1].problem).toContain(
    'Set WAYMARK_SECRET on that server to the same value as here',
  )
  expect(skipped).toContain('keyRing')
})
