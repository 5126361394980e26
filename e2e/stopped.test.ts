import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appEnv } from './harness/appEnv.ts'
import { copyApp, waymarkCommand } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { freePort } from './harness/freePort.ts'
import { startServer } from './harness/serverProcess.ts'

const page = (version: number) => `export default () => <h1>version-${version}</h1>\n`

/** What `waymark start` shows of the build that is there. */
async function startedPage(root: string): Promise<string> {
  const port = await freePort()
  const listening = `http://localhost:${port}`
  const args = [waymarkCommand(), 'start', '--port', String(port)]
  const env = appEnv({})
  const server = await startServer({ args, cwd: root, env, listening, startWithinMs: 30_000 })
  try {
    const html = await (await fetch(listening)).text()
    // With what it links: assets of the build.
    const links = [...html.matchAll(/(?:src|href)="(\/_waymark\/assets\/[^"]+)"/g)]
    for (const [, href] of links) expect((await fetch(listening + href)).status).toBe(200)
    return /version-\d/.exec(html)?.[0] ?? html
  } finally {
    await server.stop()
  }
}

/** Starts a build, and ends it once it has written a part of the server. */
async function stopBuild(root: string, signal: NodeJS.Signals): Promise<void> {
  const server = join(root, '.waymark/rsc/index.js')
  const before = readFileSync(server, 'utf8')
  const isReplaced = () => existsSync(server) && readFileSync(server, 'utf8') !== before
  const args = [waymarkCommand(), 'build']
  const building = spawn(process.execPath, args, { cwd: root, env: appEnv({}), stdio: 'ignore' })
  const ended = once(building, 'exit')
  await expect.poll(isReplaced, { timeout: 60_000, interval: 5 }).toBe(true)
  building.kill(signal)
  expect(await ended).toEqual([null, signal])
}

// Four builds, one after the other.
const timeout = 180_000

test('a build that is stopped leaves the one before, and the next one works', {
  timeout,
}, async () => {
  const file = 'app/page.tsx'
  const root = copyApp({ app: 'cli', files: { [file]: page(1) } })
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  expect(await runWaymark(['build'], root)).toMatchObject({ exitCode: 0 })
  writeFileSync(join(root, file), page(2))
  await stopBuild(root, 'SIGINT')
  expect(await startedPage(root)).toBe('version-1')
  await stopBuild(root, 'SIGKILL')
  expect(await runWaymark(['build'], root)).toMatchObject({ exitCode: 0 })
  expect(await startedPage(root)).toBe('version-2')
  expect(existsSync(join(root, '.waymark/previous'))).toBe(false)
})
