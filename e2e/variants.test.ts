import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from './harness/app.ts'
import { buildApp, copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'
import { digestPattern, lookUp } from './harness/digests.ts'
import { hydrated } from './harness/hydrated.ts'
import { see } from './harness/offlineApp.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { serveFolder } from './harness/serveFolder.ts'

const app = { app: 'variants' }

const greetings = { en: 'Good morning', de: 'Guten Morgen' } as const
const details = { en: 'All is shown', de: 'Alles gezeigt' } as const

type Language = keyof typeof greetings

const kinds = ['static', 'dynamic', 'partial'] as const
const pages = (['en', 'de'] as const).flatMap((language) =>
  kinds.map((kind): [Language, string] => [language, `/${language}/${kind}`]),
)

const otherOf = (language: Language): Language => (language === 'en' ? 'de' : 'en')

/** Records the scripts and stylesheets that a page requests. */
function recordAssets(page: Page): { texts(): Promise<string> } {
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/_waymark/assets/')) {
      bodies.push(response.text().catch(() => ''))
    }
  })
  return { texts: async () => (await Promise.all(bodies)).join('\n') }
}

const output = (page: Page) => page.locator('output').textContent()

describeModes('pages of two variants', app, (served) => {
  const isBuilt = served.mode === 'production'

  test.each(pages)('in %s hydrate at %s', async (language, path) => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto(path)
    await page.locator('h2').waitFor()
    await hydrated(page)
    expect(await page.locator('h2').textContent()).toBe(greetings[language])
    await (await hydratedElement(page.getByRole('button'))).click()
    await page.getByText(details[language]).waitFor()
    expect(await output(page)).toBe(isBuilt ? language : 'undefined')
    expect(await page.locator('em').count()).toBe(language === 'de' ? 1 : 0)
    expectQuietConsole()
  })
})

describeModes('the code of a variant', { ...app, modes: ['production'] }, (served) => {
  test.each(pages)('in %s is the only code that %s requests', async (language, path) => {
    const { page } = await openPage(served.app)
    const assets = recordAssets(page)
    await page.goto(path)
    await page.locator('h2').waitFor()
    await hydrated(page)
    await page.getByRole('button').click()
    await page.getByText(details[language]).waitFor()
    // Let the browser prefetch every link, of both variants.
    for (const link of await page.locator('nav a').all()) {
      await link.hover()
      await page.waitForTimeout(100)
    }
    await page.waitForLoadState('networkidle')
    const texts = await assets.texts()
    expect(texts).toContain(greetings[language])
    expect(texts).toContain(details[language])
    for (const others of [greetings, details])
      expect(texts).not.toContain(others[otherOf(language)])
    expect(texts.includes('Nur auf Deutsch')).toBe(language === 'de')
  })

  test('is named by the document and nothing else', async () => {
    for (const [language, path] of pages) {
      const html = await (await served.fetch(path)).text()
      const names = [...html.matchAll(/\/_waymark\/assets\/([\w.-]+)/g)].map(
        ([, name = '']) => name,
      )
      expect(names.length, path).toBeGreaterThan(2)
      const texts = await Promise.all(
        [...new Set(names)].map(async (name) => {
          const response = await served.fetch(`/_waymark/assets/${name}`)
          expect(response.status, name).toBe(200)
          return response.text()
        }),
      )
      expect(texts.join('')).toContain(greetings[language])
      expect(texts.join('')).not.toContain(greetings[otherOf(language)])
    }
  })

  test('stays in the tab on a navigation within the variant', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/de/static')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
    for (const kind of ['dynamic', 'partial', 'static']) {
      await page.getByRole('link', { name: `/de/${kind}` }).click()
      await expect
        .poll(() => page.locator('h1:visible').textContent())
        .toMatch(new RegExp(kind, 'i'))
      await page.locator('h2:visible').getByText(greetings.de).waitFor()
    }
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
    expectQuietConsole()
  })

  test.each(kinds)(
    'loads with a document on a navigation to a %s page of another',
    async (kind) => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto('/en/static')
      await hydrated(page)
      for (const language of ['de', 'en', 'de', 'en'] as const) {
        await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
        await page.getByRole('link', { name: `/${language}/${kind}` }).click()
        await page.waitForURL(`**/${language}/${kind}`)
        await page.getByText(greetings[language]).waitFor()
        await hydrated(page)
        expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(false)
        await page.getByRole('button').click()
        await expect.poll(() => output(page)).toBe(language)
      }
      await page.goBack()
      await page.getByText(greetings.de).waitFor()
      expectQuietConsole()
    },
  )

  test('is found in its source by an error report', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/de/static')
    await (await hydratedElement(page.getByRole('button'))).click()
    await page.getByRole('button', { name: 'Fail' }).click()
    await expect.poll(() => served.app.logs()).toContain('The details failed')
    const [digest = ''] = digestPattern.exec(served.app.logs()) ?? []
    const entry = await lookUp(served, digest)
    expect(JSON.stringify(entry)).toContain('app/_ui/details.tsx')
    const facts = readFileSync(join(served.app.root, '.waymark/build.json'), 'utf8')
    expect(entry.buildId).toBe(JSON.parse(facts).buildId)
  })
})

const languages = `['en', 'de'].map((id) => ({
  id,
  define: { __LANGUAGE__: JSON.stringify(id) },
}))`

test('pages of two variants work without a network', async () => {
  const files = {
    'vite.config.ts': `import { offline } from '@waymark/offline/vite'
import { waymark } from 'waymark/vite'

const variants = { builds: ${languages}, choose: './chooseVariant.ts' }
export default { plugins: [waymark({ variants }), offline()] }
`,
  }
  const served = await startApp({ ...app, mode: 'production', files })
  // The test itself stops the server, unless it fails before.
  onTestFinished(() => served.stop().catch(() => {}))
  const { page } = await openPage(served)
  for (const language of ['en', 'de'] as const) await see(page, `/${language}/static`)
  await served.stop()
  for (const language of ['en', 'de'] as const) {
    await page.getByRole('link', { name: `/${language}/static` }).click()
    await page.waitForURL(`**/${language}/static`)
    await page.getByText(greetings[language]).waitFor()
    await (await hydratedElement(page.getByRole('button'))).click()
    expect(await output(page)).toBe(language)
  }
})

test('pages of two variants that a package offers work in a static folder', async () => {
  const root = copyApp({
    ...app,
    files: {
      'vite.config.ts': `import { definePackage } from 'waymark/plugin'
import { staticSite, waymark } from 'waymark/vite'

const module = new URL('./chooseVariant.ts', import.meta.url)
const languages = definePackage('languages', () => ({
  variants: { builds: ${languages}, choose: { module, name: 'chooseVariant' } },
}))
export default {
  plugins: [waymark({ adapter: staticSite({ out: 'out', allowMissing: true }) }), languages],
}
`,
    },
  })
  onTestFinished(() => rmSync(root, { recursive: true }))
  const built = await runWaymark(['build'], root)
  expect(built.exitCode, built.output).toBe(0)
  const site = await serveFolder(join(root, 'out'))
  onTestFinished(site.close)
  const { page } = await openPage(site)
  await page.goto('/en/static')
  await hydrated(page)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.getByRole('link', { name: '/de/static' }).click()
  await page.waitForURL('**/de/static')
  await page.getByText(greetings.de).waitFor()
  await (await hydratedElement(page.getByRole('button'))).click()
  expect(await output(page)).toBe('de')
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(false)
})

test("a build has each variant's code once", async () => {
  const folder = join(await buildApp(app), '.waymark')
  const assets = readdirSync(join(folder, 'client/_waymark/assets'))
  const codeWith = (text: string) =>
    assets.filter(
      (name) =>
        name.endsWith('.js') &&
        readFileSync(join(folder, 'client/_waymark/assets', name), 'utf8').includes(text),
    )
  expect(codeWith(greetings.en)).toHaveLength(1)
  expect(codeWith(greetings.de)).toHaveLength(1)
})
