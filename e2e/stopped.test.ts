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
import { startBuild } from './harness/startBuild.ts'

const page = (version: number) => `export default () => <h1>version-${version}</h1>\n`

/** Returns the page that `waymark start` serves from the latest build. */
async function startedPage(root: string): Promise<string> {
  const { origin, stop } = await startBuild(root)
  try {
    const html = await (await fetch(origin)).text()
    // The page's links to assets must work as well.
    const links = [...html.matchAll(/(?:src|href)="(\/_waymark\/assets\/[^"]+)"/g)]
    for (const [, href] of links) expect((await fetch(origin + href)).status).toBe(200)
    return /version-\d/.exec(html)?.[0] ?? html
  } finally {
    await stop()
  }
}

/** Starts a build, and stops it once it has written a part of the server. */
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

// Allow for four builds that run in sequence.
const timeout = 180_000

test('a build that is stopped keeps the previous build, and the next build works', {
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

const stopSignals = ['SIGINT', 'SIGTERM'] as const

test('a dev server that is stopped exits with code 0 and no message, and frees its port and caches', {
  timeout,
}, async () => {
  const root = copyApp({ app: 'dev' })
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const port = await freePort()
  const listening = `http://localhost:${port}`
  const args = [waymarkCommand(), 'dev', '--port', String(port)]
  const options = { args, cwd: root, env: appEnv({}), listening, startWithinMs: 60_000 }
  for (const signal of stopSignals) {
    const server = await startServer(options)
    onTestFinished(() => server.kill())
    // Stop the server while it renders the first page and bundles packages for it.
    const cut = fetch(listening).then(
      (response) => response.text(),
      () => '',
    )
    const before = server.logs()
    process.kill(server.pid, signal)
    await expect.poll(server.exitCode).toBe(0)
    await cut
    expect(server.logs()).toBe(before)
  }
  // Start again on the same port, with the existing caches.
  const server = await startServer(options)
  onTestFinished(() => server.kill())
  const html = await (await fetch(listening)).text()
  expect(html).toContain('Count')
  for (const [, src = ''] of html.matchAll(/<script[^>]+src="([^"]+)"/g)) {
    expect((await fetch(listening + src)).status).toBe(200)
  }
  const before = server.logs()
  process.kill(server.pid, 'SIGINT')
  await expect.poll(server.exitCode).toBe(0)
  expect(server.logs()).toBe(before)
})
