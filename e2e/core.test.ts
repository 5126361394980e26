import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeApp, describeModes, type Served } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'
import { prepareReact, reactVersions } from './harness/reactVersions.ts'

// These tests must pass with and without the speedups package, and with each supported version of
// React.

const plain = `import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'

export default defineConfig({ plugins: [waymark({ security: { csp: true } })] })
`

const faster = `import { speedups } from '@waymark/speedups/vite'
import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'

export default defineConfig({ plugins: [waymark({ security: { csp: true } }), speedups()] })
`

const withSpeedups = { 'vite.config.ts': faster }
const adapted = { app: 'core', files: withSpeedups, modes: ['production'] as const }
describeModes('an app with @waymark/speedups', adapted, (served) => {
  testCore(served)
})

test('every speedup fits the installed React', async () => {
  const root = copyApp({ app: 'core', files: withSpeedups })
  onTestFinished(() => rmSync(root, { recursive: true }))
  const { exitCode, output } = await runWaymark(['build'], root)
  expect(exitCode, output).toBe(0)
  expect(output).not.toContain('skipped')
  const folder = join(root, '.waymark')
  const codeOf = (environment: string) =>
    readdirSync(join(folder, environment), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(folder, environment, name), 'utf8'))
      .join('')
  // Each expected text comes from one of the adaptations: the row writer's error, the replaced
  // constructor, and the hash for Bun's build.
  expect(codeOf('rsc')).toContain('levels deep.')
  expect(codeOf('rsc')).toMatch(/cacheController = new RenderLifetime/)
  expect(codeOf('ssr')).toContain('hashForBun')
})

const withoutSpeedups = { app: 'core', files: { 'vite.config.ts': plain } }
describeModes('an app without packages', withoutSpeedups, (served) => {
  testCore(served)
})

describe.each(reactVersions)('React %s', (react) => {
  beforeAll(() => prepareReact(inject('workFolder'), react))
  describeApp('an app', { app: 'core', react }, (served) => {
    testCore(served)
    test('runs on that React', async () => {
      const version = /"version": "([^"]+)"/
      const manifest = join(served.app.root, '../node_modules/react/package.json')
      const [, installed = ''] = version.exec(readFileSync(manifest, 'utf8')) ?? []
      expect(react === 'canary' || installed === react).toBe(true)
    })
  })
})

function testCore(served: Served) {
  test('sends a document with its content, and hydrates it', async () => {
    const html = await (await served.fetch('/')).text()
    expect(html).toContain('<h1>first</h1>')
    expect(html.match(/class="number"/g)).toHaveLength(40)
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await page.locator('button[data-hydrated=true]').click()
    await expect.poll(() => page.locator('header button').textContent()).toBe('Count 1')
    expect((await page.locator('#long').textContent())?.length).toBe(38 * 60)
    expectQuietConsole()
  })

  test('navigates without losing the state of its layout', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await page.locator('button[data-hydrated=true]').click()
    await page.getByRole('link', { name: 'other' }).click()
    await expect.poll(() => page.locator('h1:visible').textContent()).toBe('other')
    expect(await page.locator('header button').textContent()).toBe('Count 1')
    expect(await page.title()).toBe('Other')
    await page.goBack()
    await expect.poll(() => page.locator('h1:visible').textContent()).toBe('first')
    expectQuietConsole([/hint\.css|preload/])
  })

  test('runs an action that closes over a value, with and without a script', async () => {
    expect(await (await served.fetch('/note')).text()).not.toContain('closed-over-value')
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await openPage(served.app, { javaScriptEnabled })
      await page.goto('/note')
      if (javaScriptEnabled) await page.locator('button[data-hydrated=true]').waitFor()
      await page.locator('input[name=text]').fill(`noted ${javaScriptEnabled}`)
      await page.getByRole('button', { name: 'save' }).click()
      await expect
        .poll(() => page.locator('output').textContent())
        .toBe(`17 noted ${javaScriptEnabled}`)
    }
  })

  test('runs a form once if it is sent twice without a script', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    const count = async () => {
      await page.goto('/note')
      return Number(await page.locator('#count').textContent())
    }
    const before = await count()
    await page.locator('input[name=text]').fill('twice')
    await page.getByRole('button', { name: 'save' }).dblclick()
    await expect.poll(() => page.locator('output').textContent()).toBe('17 twice')
    expect(await count()).toBe(before + 1)
  })

  test('sends nothing below a layout that refuses with use()', async () => {
    const refused = await served.fetch('/guarded')
    const sent = [refused.headers.get('link') ?? '', await refused.text()].join()
    expect([refused.status, sent.includes('secret')]).toEqual([403, false])
    const admitted = await served.fetch('/guarded', { headers: { 'x-visitor': 'Ada' } })
    expect([admitted.status, await admitted.text()]).toEqual([
      200,
      expect.stringContaining('<h1>secret</h1>'),
    ])
  })

  test('streams late parts', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/late', { waitUntil: 'commit' })
    await page.locator('#waiting').waitFor({ state: 'attached' })
    await page.locator('#arrived button[data-hydrated=true]').click()
    await expect.poll(() => page.locator('#arrived button').textContent()).toBe('Count 1')
    expectQuietConsole()
  })

  test('answers a failure with its screen and status', async () => {
    const response = await served.fetch('/broken')
    expect(response.status).toBe(500)
    const { page } = await openPage(served.app)
    await page.goto('/broken')
    await page.locator('#screen').waitFor()
  })

  test('fills the hole of a partial page', async () => {
    const response = await served.fetch('/part', { headers: { 'x-visitor': 'Ada' } })
    const html = await response.text()
    expect(html).toContain('<h1>part</h1>')
    expect(html).toContain('hello Ada')
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.setExtraHTTPHeaders({ 'x-visitor': 'Grace' })
    await page.goto('/part')
    await expect.poll(() => page.locator('#hole').textContent()).toBe('hello Grace')
    expectQuietConsole()
  })
}
