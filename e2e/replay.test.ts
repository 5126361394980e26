import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appEnv } from './harness/appEnv.ts'
import { copyApp, waymarkCommand } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { lookUp } from './harness/digests.ts'
import { freePort } from './harness/freePort.ts'
import { startServer } from './harness/serverProcess.ts'

let root = ''
let origin = ''
let stop = async () => {}

beforeAll(async () => {
  root = copyApp({ app: 'replayed' })
  await build()
  const port = await freePort()
  origin = `http://localhost:${port}`
  const args = [waymarkCommand(), 'start', '--port', String(port)]
  const listening = { listening: origin, startWithinMs: 30_000 }
  const server = await startServer({ args, cwd: root, env: appEnv(), ...listening })
  stop = server.stop
})

afterAll(async () => {
  await stop()
  rmSync(root, { recursive: true, force: true })
})

async function build() {
  const { exitCode, output } = await runWaymark(['build'], root)
  expect(exitCode, output).toBe(0)
}

async function replay(digest: string, ...args: string[]) {
  const { exitCode, output } = await runWaymark(['replay', digest, '--json', ...args], root)
  return { exitCode, output, ...JSON.parse(output.slice(output.indexOf('{\n'))) }
}

/** Requests what fails, and waits until the journal has it. */
async function fail(path: string, init: RequestInit = {}) {
  const response = await fetch(origin + path, init)
  await response.text()
  const digest = response.headers.get('x-waymark-digest') ?? ''
  return { digest, entry: await lookUp({ app: { root } }, digest) }
}

test('a document fails the same way', async () => {
  const cookie = 'guide=Ada; session=abc'
  const { digest, entry } = await fail('/tours/elm?unit=km&token=abc', { headers: { cookie } })
  expect(entry.replay).toMatchObject({
    target: '/tours/elm?unit=km&token=removed',
    cookies: ['guide', 'session'],
  })
  const { outcome, exitCode, status, error } = await replay(digest)
  expect({ outcome, exitCode, status }).toEqual({ outcome: 'same', exitCode: 1, status: 500 })
  expect(error.code.text).toContain('return stages.reduce(')
})
