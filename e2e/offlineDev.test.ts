import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { appEnv } from './harness/appEnv.ts'
import { copyApp, waymarkCommand } from './harness/appFolder.ts'
import { freePort } from './harness/freePort.ts'
import { ageLine, cachedFiles, leftOfOffline, see } from './harness/offlineApp.ts'
import { networkErrors } from './harness/outbox.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { type ServerProcess, startServer } from './harness/serverProcess.ts'
import { heading } from './harness/visit.ts'

const configWith = (options: string) => `import { offline } from '@waymark/offline/vite'
import { waymark } from 'waymark/vite'
export default { plugins: [waymark(), offline(${options})] }
`

/**
 * Starts a dev server for the fixture, with a service worker, in a folder that survives a restart.
 */
async function startDev() {
  const root = copyApp({ app: 'offline', files: { 'vite.config.ts': configWith('{ dev: true }') } })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  let server: ServerProcess | null = null
  const end = async () => {
    await server?.kill()
    server = null
  }
  const start = async () => {
    server = await startServer({
      args: [waymarkCommand(), 'dev', '--port', String(port)],
      cwd: root,
      env: appEnv({}),
      listening: origin,
      startWithinMs: 60_000,
    })
    // Request the page once, so that the dev server has transformed its code.
    await (await fetch(`${origin}/read`)).text()
  }
  await start()
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(`The server's log:\n${server?.logs()}`)
    await end()
    rmSync(root, { recursive: true, force: true })
  })
  return {
    origin,
    start,
    end,
    write: (file: string, text: string) => writeFileSync(join(root, file), text),
  }
}

test('with `dev`, the dev server caches pages, and the next load shows an edit', async () => {
  const app = await startDev()
  const { page, expectQuietConsole } = await openPage(app)
  // Leave the page before a restart, because Vite reloads it once the server is back, which would
  // cancel the test's navigation.
  const leave = () => page.goto('about:blank')
  const count = async (word: string) => {
    await (await hydratedElement(page.getByRole('button', { name: `${word} 0` }))).click()
    await page.getByRole('button', { name: `${word} 1` }).waitFor()
  }
  await see(page, '/read')
  await count('Counted')
  expect(await loadedScripts(page)).toContain('/app/counter.tsx')
  // Wait until all loaded scripts are cached, because a page is cached again when more of its code
  // has loaded.
  await expect
    .poll(async () => {
      const cached = await cachedFiles(page)
      return (await loadedScripts(page)).filter((path) => !cached.includes(path))
    })
    .toEqual([])
  await app.end()
  await page.goto('/read')
  await heading(page, 'Read').waitFor()
  await ageLine(page).waitFor()
  await count('Counted')

  app.write(
    'app/read/page.tsx',
    `import { Counter } from '../counter.tsx'
export default () => <><h1>Read anew</h1><Counter /></>
`,
  )
  await leave()
  await app.start()
  await page.goto('/read')
  await heading(page, 'Read anew').waitFor()
  expect(await ageLine(page).count()).toBe(0)
  await count('Counted')
  app.write('app/counter.tsx', counter)
  await page.getByRole('button', { name: /^Edited/ }).waitFor()
  // Wait until the server uses the edited file, because Vite notifies the browser before that.
  const html = async () => (await fetch(`${app.origin}/read`)).text()
  await expect.poll(html).toContain('Edited')
  await page.reload()
  await count('Edited')

  expectQuietConsole(networkErrors)
}, 120_000)

test('once `dev` is turned off, the worker and its caches are removed', async () => {
  const app = await startDev()
  const { page } = await openPage(app)
  await see(page, '/read')
  await app.end()
  app.write('vite.config.ts', configWith('true'))
  await page.goto('about:blank')
  await app.start()
  // Repeat the load, because a worker that still controls a page is only replaced at a later load.
  const left = async () => {
    await page.goto('/write')
    return leftOfOffline(page)
  }
  await expect.poll(left, { interval: 2000 }).toEqual({ caches: [], workers: 0 })
  await page.reload()
  await heading(page, 'Write').waitFor()
  expect(await left()).toEqual({ caches: [], workers: 0 })
}, 120_000)

/** Returns the paths of the code that a page has loaded so far. */
function loadedScripts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ initiatorType }) => initiatorType === 'script' || initiatorType === 'other')
      .map(({ name }) => new URL(name).pathname + new URL(name).search)
      .filter((path) => /\.[jt]sx?(?:\?|$)/.test(path) && !path.startsWith('/_waymark/devtools/')),
  )
}

const counter = `'use client'
import { useState } from 'react'
export function Counter() {
  const [count, setCount] = useState(0)
  return <button type="button" onClick={() => setCount(count + 1)}>Edited {count}</button>
}
`
