import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest'
import { buildApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { type BuildServer, startBuild } from './harness/startBuild.ts'
import { type SwitchProxy, startSwitchProxy } from './harness/switchProxy.ts'

const labelOf = (page: Page) => page.locator('#build').getAttribute('data-label')
const heading = (page: Page) => page.locator('h1:visible').textContent()
const buildIdOf = (root: string) =>
  JSON.parse(readFileSync(join(root, '.waymark/build.json'), 'utf8')).buildId as string

/** Marks the current document. A new document doesn't have the mark. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isSameDocument: true }))
const isSame = (page: Page) => page.evaluate(() => 'isSameDocument' in window)

describe('a deploy', () => {
  let rootA = ''
  let rootB = ''
  let a: BuildServer
  let b: BuildServer
  let proxy: SwitchProxy
  const shared = mkdtempSync(join(tmpdir(), 'waymark-shared-'))
  const writesFile = join(shared, 'writes.txt')

  beforeAll(async () => {
    process.env.WRITES_FILE = writesFile
    rootA = await buildApp({ app: 'fleet' })
    rootB = join(inject('workFolder'), `fleet-b-${process.pid}`)
    cpSync(rootA, rootB, { recursive: true })
    writeFileSync(join(rootB, 'app/_parts/label.ts'), "export const label = 'B'\n")
    const built = await runWaymark(['build'], rootB)
    expect(built.exitCode, built.output).toBe(0)
    a = await startBuild(rootA, {}, ['--shared-assets', shared])
    b = await startBuild(rootB, {}, ['--shared-assets', shared])
    delete process.env.WRITES_FILE
  })
  afterAll(async () => {
    await Promise.all([a, b].map((server) => server?.stop()))
    rmSync(rootB, { recursive: true, force: true })
    rmSync(shared, { recursive: true, force: true })
  })
  beforeEach(async () => {
    proxy = await startSwitchProxy(a.origin)
    onTestFinished(() => proxy.stop())
  })
  const deploy = () => proxy.choose(() => b.origin)

  async function openHome() {
    const visit = await openPage(proxy)
    await visit.page.goto('/')
    await hydratedElement(visit.page.locator('#home'))
    await mark(visit.page)
    return visit
  }
  const clickTo = async (page: Page, href: string) => {
    await page.locator(`nav a[href="${href}"]`).click()
    await page.waitForURL(`${proxy.origin}${href}`)
  }

  test('keeps only those assets of the previous build that differ', async () => {
    const manifest = JSON.parse(readFileSync(join(rootB, '.waymark/assets.json'), 'utf8'))
    expect(manifest.builds.map(({ buildId }: { buildId: string }) => buildId)).toEqual([
      buildIdOf(rootB),
      buildIdOf(rootA),
    ])
    for (const file of manifest.builds[1].files) {
      if (/\.(br|gz)$/.test(file)) continue
      const answer = await fetch(`${b.origin}/_waymark/assets/${file}`)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
    }
  })

  test('page data names its build', async () => {
    for (const path of ['/', '/about']) {
      const data = await fetch(`${a.origin}/_waymark/data${path === '/' ? '' : path}.rsc`)
      expect(data.headers.get('waymark-build')).toBe(buildIdOf(rootA))
    }
  })

  test('a page of the old build keeps working, including its late code', async () => {
    const { page, expectQuietConsole } = await openHome()
    const files = readdirSync(join(rootA, '.waymark/client/_waymark/assets'))
    deploy()
    await page.locator('#home').click()
    await expect.poll(() => page.locator('#home').textContent()).toBe('A 1')
    for (const file of files.filter((name) => name.endsWith('.js'))) {
      const status = await page.evaluate(
        async (path) => (await fetch(path)).status,
        `/_waymark/assets/${file}`,
      )
      expect(status).toBe(200)
    }
    expect(await isSame(page)).toBe(true)
    expectQuietConsole()
  })

  test.each(['/about', '/later'])(
    'a click on %s ends in a document of the new build, with one load',
    async (href) => {
      const { page, expectQuietConsole } = await openHome()
      deploy()
      await clickTo(page, href)
      await expect.poll(() => labelOf(page)).toBe('B')
      expect(await isSame(page)).toBe(false)
      const documents = proxy.requests.filter(({ target }) => target === href)
      expect(documents.length).toBe(1)
      await mark(page)
      await hydratedElement(page.locator('nav a').first())
      await clickTo(page, '/')
      await expect.poll(() => heading(page)).toBe('Home of B')
      expect(await isSame(page)).toBe(true)
      expectQuietConsole()
    },
  )

  test('prefetched pages of the same build are shown at once', async () => {
    const { page } = await openHome()
    await page.waitForFunction(
      () => performance.getEntriesByName(`${origin}/_waymark/data/form.rsc`).length,
    )
    deploy()
    await clickTo(page, '/form')
    await expect.poll(() => heading(page)).toBe('Form of A')
    expect(await isSame(page)).toBe(true)
  })

  test('prefetched pages of another build are not used', async () => {
    proxy.choose((target) => (target.endsWith('/form.rsc') ? b.origin : a.origin))
    const { page } = await openHome()
    await page.waitForFunction(
      () => performance.getEntriesByName(`${origin}/_waymark/data/form.rsc`).length,
    )
    await clickTo(page, '/form')
    await expect.poll(() => isSame(page)).toBe(false)
    expect([await labelOf(page), await heading(page)]).toEqual(['A', 'Form of A'])
  })

  test('asks before typed text is lost', async () => {
    const { page } = await openHome()
    await clickTo(page, '/form')
    await mark(page)
    await page.locator('input[name=text]').fill('a long letter')
    deploy()
    await page.locator('nav a[href="/about"]').click()
    const open = page.getByRole('button', { name: 'Open page' })
    await open.waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.locator('input[name=text]').inputValue()).toBe('a long letter')
    expect(await isSame(page)).toBe(true)
    await page.locator('nav a[href="/about"]').click()
    await open.click()
    await expect.poll(() => heading(page)).toBe('About B')
  })

  test('going back leads to the page of the new build, and forward works again', async () => {
    const { page, expectQuietConsole } = await openHome()
    await clickTo(page, '/about')
    deploy()
    await clickTo(page, '/later')
    await expect.poll(() => labelOf(page)).toBe('B')
    await page.goBack()
    await expect.poll(() => heading(page)).toBe('About B')
    await page.goForward()
    await expect.poll(() => heading(page)).toBe('Later')
    await page.locator('#later').click()
    await expect.poll(() => page.locator('#later').textContent()).toBe('opened by B')
    expectQuietConsole()
  })

  test('a stream that runs at SIGTERM is completed', async () => {
    const server = await startBuild(rootA)
    const { page } = await openPage(server)
    await page.goto('/slow', { waitUntil: 'commit' })
    await page.getByText('waiting').waitFor()
    const stopping = server.stop()
    await page.locator('#rest').waitFor()
    await stopping
  })

  describe('a rolling deploy with an alternating load balancer', () => {
    test('every page hydrates, whichever server has its assets', async () => {
      proxy.choose((_target, turn) => (turn % 2 ? a.origin : b.origin))
      const { page, expectQuietConsole } = await openPage(proxy)
      for (const [href, id] of [
        ['/', 'home'],
        ['/about', 'about'],
        ['/later', 'later'],
        ['/about', 'about'],
      ] as const) {
        await page.goto(href)
        await (await hydratedElement(page.locator(`#${id}`))).click()
        await expect
          .poll(() => page.locator(`#${id}`).textContent())
          .toMatch(/[AB] 1|opened by [AB]/)
      }
      expect(proxy.requests.filter(({ status }) => status >= 400)).toEqual([])
      expectQuietConsole()
    })

    test('clicks arrive, and builds are not mixed', async () => {
      proxy.choose((_target, turn) => (turn % 2 ? a.origin : b.origin))
      const { page, expectQuietConsole } = await openPage(proxy)
      await page.goto('/')
      for (const href of ['/about', '/form', '/', '/about', '/later', '/']) {
        await clickTo(page, href)
        const label = await labelOf(page)
        if (href !== '/later') expect(await heading(page)).toContain(label)
      }
      // Not counting assets and prefetches, each click makes at most two requests: one for page
      // data, and one for a document.
      const documents = proxy.requests.filter(({ target }) => !target.startsWith('/_waymark/'))
      expect(documents.length).toBeLessThan(14)
      expectQuietConsole()
    })

    test('submitting and going back loses nothing, and submits nothing twice', async () => {
      proxy.choose((_target, turn) => (turn % 2 ? a.origin : b.origin))
      const { page, expectQuietConsole } = await openPage(proxy)
      await page.goto('/')
      for (let round = 0; round < 4; round++) {
        await clickTo(page, '/notes')
        const input = await hydratedElement(page.locator('input[name=text]:visible'))
        await input.fill(`note ${round}`)
        await page.getByRole('button', { name: 'Save' }).click()
        await expect.poll(() => page.locator('output:visible').textContent()).toBe(`note ${round}`)
        await clickTo(page, '/about')
        expect(await heading(page)).toBe(`About ${await labelOf(page)}`)
        await page.goBack()
        await page.waitForURL(`${proxy.origin}/notes`)
        await expect.poll(() => heading(page)).toBe(`Notes of ${await labelOf(page)}`)
        await clickTo(page, '/')
      }
      expect(readFileSync(writesFile, 'utf8')).toBe('note 0\nnote 1\nnote 2\nnote 3\n')
      await clickTo(page, '/notes')
      await (await hydratedElement(page.locator('input[name=text]:visible'))).fill('a long letter')
      for (let round = 0; round < 3; round++) {
        await page.locator('nav a[href="/about"]').click()
        const cancel = page.getByRole('button', { name: 'Cancel' })
        await cancel.or(page.locator('#about:visible')).waitFor()
        if (await cancel.isVisible()) await cancel.click()
        else await page.goBack()
        expect(await page.locator('input[name=text]:visible').inputValue()).toBe('a long letter')
      }
      const documents = proxy.requests.filter(({ target }) => !target.startsWith('/_waymark/'))
      expect(documents.length).toBeLessThan(40)
      expect(proxy.requests.filter(({ status }) => status >= 400)).toEqual([])
      expectQuietConsole()
    })

    test('a page that refreshes itself is reloaded only once', async () => {
      // Serve page data from a different build than documents, always.
      proxy.choose((target) => (target.startsWith('/_waymark/data') ? b.origin : a.origin))
      const { page } = await openPage(proxy)
      await page.goto('/about')
      const load = page.waitForEvent('load')
      await (await hydratedElement(page.locator('#refresh'))).click()
      await load
      for (let round = 0; round < 3; round++) {
        const answered = page.waitForResponse(/about\.rsc/)
        await (await hydratedElement(page.locator('#refresh'))).click()
        await answered
      }
      expect(proxy.requests.filter(({ target }) => target === '/about').length).toBe(2)
    })
  })
})
