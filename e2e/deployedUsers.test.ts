import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../scripts/workspace/run.mjs'
import { appEnv } from './harness/appEnv.ts'
import { copyApp, waymarkCommand } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { freePort } from './harness/freePort.ts'
import { type ServerProcess, startServer } from './harness/serverProcess.ts'
import { layOutUnit, type Unit, unitUser } from './harness/systemdUnit.ts'
import { asUser, noOtherUserBecause } from './harness/systemUsers.ts'
import { timedRequest } from './harness/timedRequest.ts'
import { type Behind, caddy, nginx, type WebServer } from './harness/webServer.ts'

// Runs the servers in deploy/ as the users that run them on Debian: the systemd unit as a separate
// user, nginx as www-data, and Caddy as caddy. Root has made the build, with the strictest umask,
// in a folder that only root can enter.

const secret = 'a secret of the tests, long enough'
const env = { WAYMARK_SECRET: secret, WAYMARK_REDIS_URL: 'none' }

if (noOtherUserBecause) console.warn(`Skipped: other users. Here ${noOtherUserBecause}.`)
describe.skipIf(noOtherUserBecause)('a build that root made', () => {
  let root: string
  let unit: Unit
  let app: ServerProcess
  let port = 0

  beforeAll(async () => {
    root = copyApp({ app: 'fleet' })
    const built = join(root, '.waymark')
    // Create files that only their owner can read, as a journal and a build without WAYMARK_SECRET
    // leave them in development.
    mkdirSync(join(built, 'journal'), { recursive: true, mode: 0o700 })
    writeFileSync(join(built, 'secret'), 'of an earlier build, 32 characters.', { mode: 0o600 })
    const build = ['-c', 'umask 077; exec "$0" "$@"', process.execPath, waymarkCommand(), 'build']
    const { exitCode, output } = await run('sh', build, {
      cwd: root,
      quiet: true,
      env: appEnv(env),
    })
    if (exitCode !== 0) throw new Error(output)
    port = await freePort()
    unit = layOutUnit(built, port)
    app = await startApp()
  })
  afterAll(async () => {
    if (app?.exitCode() === null) await app.stop()
    unit?.remove()
    rmSync(root, { recursive: true, force: true })
  })

  const startApp = () =>
    startServer({
      ...unit.start,
      cwd: unit.folder,
      env: appEnv({ ...unit.env, ...env }),
      listening: `:${port}`,
      startWithinMs: 60_000,
    })
  const front = async (kind: typeof nginx, change?: Behind['change']): Promise<WebServer> => {
    const ports = [await freePort(), port] as const
    const server = await kind.start({ root: unit.folder, ports, ...(change && { change }) })
    onTestFinished(() => server.stop())
    // Wait for Caddy, which first creates a certificate and checks its servers.
    const ask = () => timedRequest(`${server.origin}/`, { certificate: server.certificate })
    await vi.waitFor(async () => expect((await ask()).status).toBe(200), 10_000)
    return server
  }
  const filesOfHome = async ({ origin, certificate }: WebServer) => {
    const { body } = await timedRequest(`${origin}/`, { certificate })
    const files = body.match(/\/_waymark\/assets\/[^"]+\.(?:js|css)/g) ?? []
    expect(files.length).toBeGreaterThan(1)
    return [...new Set(files)].map((file) => `${origin}${file}`)
  }
  const statusesOf = async ({ certificate }: WebServer, urls: readonly string[]) =>
    new Set(
      await Promise.all(urls.map(async (url) => (await timedRequest(url, { certificate })).status)),
    )
  const examine = (server: WebServer) => runWaymark(['doctor', server.origin], root, env)
  const modeOf = (name: string) => (statSync(join(root, '.waymark', name)).mode & 0o777).toString(8)

  test('lets others enter it and read its client files, and contains no unused secret', () => {
    expect(modeOf('.')).toBe('711')
    expect(modeOf('client/_waymark/assets')).toBe('755')
    const [asset = ''] = readdirSync(join(root, '.waymark/client/_waymark/assets'))
    expect(modeOf(`client/_waymark/assets/${asset}`)).toBe('644')
    for (const name of ['journal', 'rsc']) expect(modeOf(name)).toBe('700')
    expect(existsSync(join(root, '.waymark/secret'))).toBe(false)
  })

  test('is served by the unit’s user, who writes only its journal and cache', async () => {
    const health = await fetch(`http://127.0.0.1:${port}/_waymark/health/ready`)
    expect(health.status).toBe(200)
    const body = new URLSearchParams({ text: 'a line' })
    const wrote = await fetch(`http://127.0.0.1:${port}/api/writes`, { method: 'POST', body })
    expect(wrote.status).toBe(500)
    await expect.poll(app.logs).toContain('EACCES')
    const journal = join(unit.folder, '.waymark/journal')
    await expect.poll(() => readdirSync(journal).length).toBeGreaterThan(0)
    expect(statSync(journal)).toMatchObject({ uid: unitUser.uid, mode: 0o40700 })
    expect(app.logs()).not.toContain('can’t be written')
    expect(app.logs()).not.toContain("can't be written")
  })

  test("names the file that a server of another user can't read, and how to give access", async () => {
    const start = ['.waymark/server.js', '--port', `${await freePort()}`]
    const stranger = asUser({ uid: unitUser.uid + 1, gid: unitUser.gid + 1 }, [
      process.execPath,
      ...start,
    ])
    // The error must report this file, because it is the first one that `start` reads.
    const file = join(unit.folder, '.waymark/runtime.js')
    for (const name of ['.', 'rsc', 'server.js', 'build.json', 'package.json']) {
      chmodSync(join(unit.folder, '.waymark', name), 0o755)
    }
    const { exitCode, output } = await run(stranger.program, stranger.args, {
      cwd: unit.folder,
      quiet: true,
      env: appEnv(env),
    })
    expect(exitCode).toBe(1)
    expect(output).toContain(
      `can't read ${file}. Give that user's group access to the build: chgrp -R `,
    )
  })

  for (const kind of [nginx, caddy]) {
    describe.skipIf(kind.program === null)(`behind ${kind.name}`, () => {
      test('the web server serves files even while the app is stopped', async () => {
        const server = await front(kind)
        const files = await filesOfHome(server)
        expect(await statusesOf(server, files)).toEqual(new Set([200]))
        await app.stop()
        expect(await statusesOf(server, files)).toEqual(new Set([200]))
        app = await startApp()
      })

      test("the app serves files that the web server can't read", async () => {
        const server = await front(kind)
        closeToOthers()
        expect(await statusesOf(server, await filesOfHome(server))).toEqual(new Set([200]))
      })
    })
  }

  test.skipIf(nginx.program === null)(
    'waymark doctor names the missing permission of the web server, with the command to grant it',
    async () => {
      const server = await front(nginx, (file) =>
        file.replace('error_page 403 404', 'error_page 404'),
      )
      expect(await examine(server)).toMatchObject({ exitCode: 0 })
      closeToOthers()
      expect(await statusesOf(server, await filesOfHome(server))).toEqual(new Set([403]))
      const { exitCode, output } = await examine(server)
      expect(exitCode).toBe(1)
      expect(output).toMatch(/\/_waymark\/assets\/\S+: status 403\n/)
      // Without the secret, the doctor sees the status, but not the folder.
      const outside = await runWaymark(['doctor', server.origin], root, { WAYMARK_SECRET: '' })
      expect(outside.output).toContain(
        "Run waymark doctor with the servers' secret, which also prints",
      )
      const command = `chmod o+x ${join(unit.folder, '.waymark')}`
      expect(output).toContain(`Run: ${command}\n`)
      expect(await run('sh', ['-c', command], { cwd: '/', quiet: true })).toMatchObject({
        exitCode: 0,
      })
      expect(await examine(server)).toMatchObject({ exitCode: 0 })
    },
  )

  function closeToOthers(): void {
    const folder = join(unit.folder, '.waymark')
    const { mode } = statSync(folder)
    chmodSync(folder, mode & 0o770)
    onTestFinished(() => chmodSync(folder, mode))
  }
})
