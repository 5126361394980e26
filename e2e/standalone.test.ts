import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appEnv } from './harness/appEnv.ts'
import { buildApp } from './harness/appFolder.ts'
import { freePort } from './harness/freePort.ts'
import { hydrated, openPage } from './harness/page.ts'
import { startServer } from './harness/serverProcess.ts'

test('a built folder serves the app where nothing else is', async () => {
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
    startWithinMs: 20_000,
  })
  const { page, expectQuietConsole } = await openPage({ origin })
  await page.goto('/')
  await (await hydrated(page.locator('#home'))).click()
  await expect.poll(() => page.locator('#home').textContent()).toBe('A 1')
  await page.locator('nav a[href="/about"]').click()
  await page.getByRole('heading', { name: 'About A' }).waitFor()
  expectQuietConsole()
  await server.stop()
})

test('a built folder says what it does not understand', async () => {
  const root = await buildApp({ app: 'fleet' })
  const starting = startServer({
    args: [join(root, '.waymark/server.js'), '--prot', '1'],
    cwd: tmpdir(),
    env: appEnv(),
    listening: 'never',
    startWithinMs: 20_000,
  })
  await expect(starting).rejects.toThrow('Did you mean --port?')
})
