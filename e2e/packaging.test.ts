import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { askRedis } from '../packages/redis/src/testing/redisCluster.ts'
import { describeWithRedis, startRedis } from '../packages/redis/src/testing/redisServer.ts'
import { publishedPackages } from '../scripts/workspace/build.mjs'
import { run } from '../scripts/workspace/run.mjs'
import { appEnv } from './harness/appEnv.ts'
import { shortcut } from './harness/devtoolsPanel.ts'
import { freePort } from './harness/freePort.ts'
import { hydrated } from './harness/hydrated.ts'
import {
  expectPublishable,
  expectRun,
  expectTypes,
  packPackages,
  serveInstalled,
} from './harness/packedPackage.ts'
import { openPage } from './harness/page.ts'
import { appSource } from './harness/paths.ts'
import { startServer } from './harness/serverProcess.ts'

const folder = mkdtempSync(join(tmpdir(), 'waymark-packaging-'))
let tarballs: Record<string, string> = {}
beforeAll(async () => {
  tarballs = await packPackages(publishedPackages(), folder)
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(publishedPackages())('the packed package %s', (name) => {
  const tarball = () => tarballs[name] ?? ''

  test('has valid entries according to publint', () => expectPublishable(tarball()))

  test('has types that resolve from an ES module', () => expectTypes(tarball()))

  test('contains its README and its license, and no tests', async () => {
    const listing = (await expectRun('tar', ['-tzf', tarball()], folder)).split('\n')
    expect(listing).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md']))
    const built = listing.filter((file) => file.startsWith('package/dist/'))
    expect(built.filter((file) => /\.test\.|\/testing\//.test(file))).toEqual([])
  })
})

test('the core contains its changelog and the guide', async () => {
  const listing = await expectRun('tar', ['-tzf', tarballs.waymark ?? ''], folder)
  expect(listing).toContain('package/CHANGELOG.md')
  expect(listing).toContain('package/dist/docs/actions.md')
})

describe('an app outside of the workspace', () => {
  const app = join(folder, 'app-of-a-user')
  const install = (...packages: string[]) => expectRun('npm', ['install', ...packages], app)

  /** Writes the configuration that the guide shows for one of our packages. */
  const listPackage = (name: 'devtools' | 'operations' | 'redis') =>
    writeFileSync(
      join(app, 'vite.config.ts'),
      `import { ${name} } from '@waymark/${name}/vite'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark(), ${name}()] }
`,
    )

  beforeAll(async () => {
    layOutApp(app)
    await install(tarballs.waymark ?? '', 'react@19.3.1', 'react-dom@19.3.1')
    await expectRun('npx', ['waymark', 'build'], app)
  }, 240_000)

  test.each(['start', 'dev'] as const)('runs %s with only the core', async (command) => {
    const server = await serveInstalled(app, command)
    try {
      const response = await fetch(`${server.origin}/`)
      expect(response.status).toBe(200)
      const html = await response.text()
      expect(html).toContain('<h1>It runs</h1>')
      const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(html) ?? []
      expect((await fetch(new URL(script, response.url))).status).toBe(200)
    } finally {
      await server.stop()
    }
  })

  const devtoolsUrls = ['devtools/panel/mark.js', 'events']

  test('works without the devtools, and their URLs say how to install them', async () => {
    const server = await serveInstalled(app, 'dev')
    onTestFinished(() => server.stop())
    const { page, expectQuietConsole } = await openPage(server)
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await page.goto('/')
    await hydrated(page)
    await page.keyboard.press(shortcut)
    expect(urls.filter((url) => url.includes('/_waymark/devtools/'))).toEqual([])
    expectQuietConsole()
    for (const name of [...devtoolsUrls, 'mcp']) {
      const response = await fetch(`${server.origin}/_waymark/${name}`)
      expect(response.status).toBe(501)
      expect(await response.text()).toContain('needs the package @waymark/devtools')
    }
    expect(server.logs()).not.toContain('@waymark/devtools')
  })

  test('has the devtools once its configuration lists them', { timeout: 120_000 }, async () => {
    await install('--save-dev', tarballs.devtools ?? '', tarballs.testing ?? '')
    listPackage('devtools')
    const server = await serveInstalled(app, 'dev')
    onTestFinished(() => server.stop())
    expect(await (await fetch(server.origin)).text()).toContain('/_waymark/devtools/panel/mark.js')
    for (const name of devtoolsUrls) {
      expect((await fetch(`${server.origin}/_waymark/${name}`)).status).toBe(200)
    }
  })

  test.each(['start', 'server.js'])(
    'learns from %s which package WAYMARK_REDIS_URL needs',
    async (program) => {
      const starting = serveWithRedis(app, program, 'redis://127.0.0.1:1')
      await expect(starting).rejects.toThrow(
        "WAYMARK_REDIS_URL needs the package @waymark/redis. Run npm install @waymark/redis, and add to vite.config.ts: import { redis } from '@waymark/redis/vite', then plugins: [waymark(), redis()]. Then build the app again.",
      )
    },
  )

  test('contains only the core, and no file for packages', () => {
    const program = readFileSync(join(app, '.waymark/server.js'), 'utf8')
    expect(program).not.toMatch(/createSupervisor|createRedisCache/)
    expect(existsSync(join(app, '.waymark/runtime.js'))).toBe(false)
  })

  test.each([['operations', ['start', '--workers', '2'], '--workers']])(
    'gets an error that says where @waymark/%s is needed',
    async (name, command, part) => {
      const args = ['node_modules/waymark/bin/waymark.js', ...command]
      const env = appEnv()
      const { exitCode, output } = await run(process.execPath, args, { cwd: app, quiet: true, env })
      expect(exitCode).toBe(1)
      expect(output).toContain(`${part} needs the package @waymark/${name}`)
      expect(output).toContain(`Run npm install @waymark/${name}, and add to vite.config.ts:`)
    },
  )

  test.each([
    ['operations', ['doctor', 'http://127.0.0.1:1']],
    ['operations', ['assets', 'push', 's3://bucket']],
    ['arrivals', ['arrivals']],
  ])('gets an error that says that @waymark/%s has the command', async (name, command) => {
    const args = ['node_modules/waymark/bin/waymark.js', ...command]
    const env = appEnv()
    const { exitCode, output } = await run(process.execPath, args, { cwd: app, quiet: true, env })
    expect(exitCode).toBe(2)
    expect(output).toContain(`waymark ${command[0]} comes from @waymark/${name}`)
    expect(output).toContain(`Run npm install @waymark/${name}, and add to vite.config.ts:`)
  })

  test('pushes its assets with @waymark/operations', { timeout: 120_000 }, async () => {
    await install(tarballs.operations ?? '')
    listPackage('operations')
    const pushed = await expectRun('npx', ['waymark', 'assets', 'push', folder, '--json'], app)
    expect(JSON.parse(pushed).pushed.count).toBeGreaterThan(0)
    const again = await expectRun('npx', ['waymark', 'assets', 'push', folder, '--json'], app)
    expect(JSON.parse(again)).toMatchObject({ pushed: { count: 0 } })
    const args = ['node_modules/waymark/bin/waymark.js', 'assets', 'push', 's3://bucket']
    const { exitCode, output } = await run(process.execPath, args, { cwd: app, quiet: true })
    expect(exitCode).toBe(1)
    expect(output).toContain('waymark assets push s3://… needs the package @waymark/s3')
  })

  describeWithRedis('with @waymark/redis', () => {
    test('stores in Redis, even if nothing is installed', { timeout: 240_000 }, async () => {
      await install(tarballs.redis ?? '')
      listPackage('redis')
      await expectRun('npx', ['waymark', 'build'], app)
      const empty = join(folder, 'nothing-installed')
      cpSync(join(app, '.waymark'), join(empty, '.waymark'), { recursive: true })
      const redis = await startRedis()
      try {
        for (const [place, program] of [
          [app, 'start'],
          [empty, 'server.js'],
        ] as const) {
          const server = await serveWithRedis(place, program, redis.url)
          expect((await fetch(`${server.origin}/`)).status).toBe(200)
          // Redis must contain the build's assets, which the server stores for other servers.
          await expect.poll(() => askRedis(redis.url, ['DBSIZE'])).toBeGreaterThan(0)
          await askRedis(redis.url, ['FLUSHALL'])
          await server.stop()
        }
      } finally {
        await redis.stop()
      }
    })
  })
})

/**
 * Serves an app that uses Redis.
 * @param program `start`, or the file of a build that runs without packages
 */
async function serveWithRedis(place: string, program: string, url: string) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const args =
    program === 'start'
      ? [join(place, 'node_modules/waymark/bin/waymark.js'), 'start']
      : [join(place, '.waymark', program)]
  const server = await startServer({
    args: [...args, '--port', String(port)],
    cwd: place,
    env: appEnv({ WAYMARK_REDIS_URL: url }),
    listening: origin,
    startWithinMs: 60_000,
  })
  return { ...server, origin }
}

function layOutApp(app: string) {
  const files = ['app/layout.tsx', 'app/page.tsx', 'app/counter.tsx']
  for (const file of files) {
    mkdirSync(dirname(join(app, file)), { recursive: true })
    writeFileSync(join(app, file), readFileSync(join(appSource('basic'), file)))
  }
  writeFileSync(join(app, 'package.json'), '{ "name": "app-of-a-user", "private": true }\n')
}
