import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../scripts/workspace/paths.mjs'
import { run } from '../scripts/workspace/run.mjs'
import { appEnv } from './harness/appEnv.ts'
import { freePort } from './harness/freePort.ts'
import { appSource } from './harness/paths.ts'
import { startServer } from './harness/serverProcess.ts'

const packageFolder = join(root, 'packages/waymark')

let folder = ''
let tarball = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-packaging-'))
  await expectRun('npm', ['pack', '--pack-destination', folder], packageFolder)
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command that has to succeed, in an environment without the test runner's own names. */
async function expectRun(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { exitCode, output } = await run(command, args, { cwd, quiet: true, env: appEnv() })
  expect(exitCode, `${command} ${args.join(' ')}:\n${output}`).toBe(0)
  return output
}

describe('the packed package', () => {
  test('has entries that publint finds right', async () => {
    const bytes = readFileSync(tarball)
    const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    const { messages, pkg = {} } = await publint({ pack: { tarball: content }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  test('has types that resolve from an ES module', async () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    await expectRun(process.execPath, [attw, tarball, '--profile', 'esm-only'], folder)
  })

  test('holds no tests', async () => {
    const listing = await expectRun('tar', ['-tzf', tarball], folder)
    expect(listing.split('\n').filter((name) => /\.test\.|\/testing\//.test(name))).toEqual([])
    expect(listing).toContain('package/LICENSE')
  })

  test('builds and serves an app outside of the workspace', { timeout: 240_000 }, async () => {
    const app = join(folder, 'app-of-a-user')
    layOutApp(app)
    const packages = [tarball, 'react@19.3.1', 'react-dom@19.3.1']
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline']
    await expectRun('npm', ['install', ...quiet, ...packages], app)
    await expectRun('npx', ['waymark', 'build'], app)
    const port = await freePort()
    const server = await startServer({
      args: [join(app, 'node_modules/waymark/bin/waymark.js'), 'start', '--port', String(port)],
      cwd: app,
      env: appEnv(),
      listening: `http://localhost:${port}`,
      startWithinMs: 30_000,
    })
    try {
      const response = await fetch(`http://localhost:${port}/`)
      expect(response.status).toBe(200)
      const html = await response.text()
      expect(html).toContain('<h1>It runs</h1>')
      const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(html) ?? []
      expect((await fetch(new URL(script, response.url))).status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})

function layOutApp(app: string) {
  const files = ['app/layout.tsx', 'app/page.tsx', 'app/counter.tsx']
  for (const file of files) {
    mkdirSync(dirname(join(app, file)), { recursive: true })
    writeFileSync(join(app, file), readFileSync(join(appSource('basic'), file)))
  }
  writeFileSync(join(app, 'package.json'), '{ "name": "app-of-a-user", "private": true }\n')
}
