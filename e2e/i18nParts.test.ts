import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { open } from './harness/livePages.ts'
import { openPage } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'

// Each part of a page writes «de» on the server and ‹de› in the browser, so no other language may
// appear.

const languages = ['en', 'de', 'ar'] as const

const localPaths = {
  en: ['', '/about', '/slow', '/acts', '/timed', '/photo/1', '/closed/one', '/fails'],
  de: ['', '/ueber-uns', '/slow', '/acts', '/zeit', '/bild/1', '/zu/one', '/fails'],
  ar: ['', '/حول', '/slow', '/acts', '/timed', '/photo/1', '/closed/one', '/fails'],
}
const refused = ['/refuses/401', '/refuses/403', '/refuses/404', '/nowhere']

/** Lists the languages of the marks in a text. */
const marks = (text: string) => [
  ...new Set([...text.matchAll(/[«‹](en|de|ar)[»›]/g)].map(([, language]) => language)),
]

const marksOnScreen = async (page: Page) =>
  marks((await page.locator('[data-part]').allTextContents()).join())

/** Waits until a part is on the screen, and checks all languages there. */
async function expectPart(page: Page, part: string, language: string): Promise<void> {
  await page.locator(`[data-part="${part}"]`).waitFor()
  expect(await marksOnScreen(page), part).toEqual([language])
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
}

const state = (served: Served, body: object) =>
  served.fetch('/api/state', { method: 'POST', body: JSON.stringify(body) })

describeModes('parts of pages', { app: 'i18nParts' }, (served) => {
  test('of documents and page data are in the language of their URL', {
    timeout: 60_000,
  }, async () => {
    const all = languages.flatMap((language) =>
      [...localPaths[language], ...refused].flatMap((path) => [
        { language, path, url: `/${language}${path}` },
        { language, path, url: `/_waymark/data/${language}${path}.rsc` },
      ]),
    )
    const rounds = served.mode === 'dev' ? 1 : 5
    const requests = Array.from({ length: rounds }, () => all).flat()
    await Promise.all(
      requests.map(async ({ language, url }) => {
        const text = await (await served.fetch(encodeURI(url))).text()
        expect([url, marks(text)]).toEqual([url, [language]])
      }),
    )
  })

  test.each([
    ['en', 'About', 'about', '/en/about'],
    ['de', 'About', 'about', '/de/ueber-uns'],
    ['ar', 'About', 'about', '/ar/%D8%AD%D9%88%D9%84'],
    ['de', 'Slow', 'slow', '/de/slow'],
    ['de', 'Photo', 'modal', '/de/bild/1'],
    ['de', 'Fails', 'error', '/de/fails'],
    ['ar', 'Timed', 'timed', '/ar/timed'],
  ])('in %s stay in it after a click on %s', async (language, link, part, path) => {
    const { page } = await openPage(served.app)
    await page.goto(`/${language}`)
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await page.getByRole('link', { name: link, exact: true }).click()
    await expectPart(page, part, language)
    await expect.poll(() => new URL(page.url()).pathname).toBe(path)
    await page.goBack()
    await expectPart(page, 'side home', language)
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
  })

  test('change completely with a link to another language, and with Back', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/de')
    await hydrated(page)
    await page.getByRole('link', { name: 'About', exact: true }).click()
    await expectPart(page, 'about', 'de')
    await page.getByRole('link', { name: 'Plain en' }).click()
    await expect.poll(() => marksOnScreen(page)).toEqual(['en'])
    await expectPart(page, 'home', 'en')
    await page.goBack()
    await expect.poll(() => marksOnScreen(page)).toEqual(['de'])
    await expectPart(page, 'about', 'de')
    await page.getByRole('link', { name: 'English' }).click()
    await expect.poll(() => marksOnScreen(page)).toEqual(['en'])
    await expectPart(page, 'about', 'en')
    await page.goBack()
    await expect.poll(() => marksOnScreen(page)).toEqual(['de'])
    await expectPart(page, 'about', 'de')
    expectQuietConsole()
  })

  test('stay in it after actions, refreshes and live updates', async () => {
    const [de, ar] = await Promise.all([open(served.app, '/de/acts'), open(served.app, '/ar/acts')])
    const count = () => de.page.locator('#count').textContent()
    await de.page.getByRole('button', { name: 'Act' }).click()
    await de.page.getByText('acted «de»').waitFor()
    await ar.page.getByRole('button', { name: 'Act' }).click()
    await ar.page.getByText('acted «ar»').waitFor()
    await expect.poll(async () => (await served.fetch('/api/state')).json()).toContain('after «ar»')
    expect(await (await served.fetch('/api/state')).json()).toContain('after «de»')
    await de.page.getByRole('button', { name: 'Refresh' }).click()
    const before = Number(await count())
    await state(served, {})
    await expect.poll(async () => Number(await count())).toBeGreaterThan(before)
    await expectPart(de.page, 'acts', 'de')
    await expectPart(ar.page, 'acts', 'ar')
    de.expectQuietConsole()
    ar.expectQuietConsole()
  })

  test.each(languages)('a route handler knows its language: %s', async (locale) => {
    const api = async (key: string) => (await served.fetch(`/${locale}/api?key=${key}`)).json()
    expect(await api('a')).toEqual({
      locale,
      word: `«${locale}»`,
      has: true,
      text: `«${locale}» a`,
      about: encodeURI(`/${locale}${localPaths[locale][1]}`),
      noon: expect.stringMatching(/9|٩/),
    })
    for (const key of ['missing', 'constructor', '__proto__', 'toString', 'a.b', 'valueOf.call']) {
      expect(await api(key), key).toMatchObject({ text: `keys.${key}` })
    }
  })

  test.each([
    ['/de/other/page', 'about'],
    ['/de/other/url', 'about'],
    ['/de/other/closed', 'closed'],
  ])('proxy.ts rewrites %s to a page in its language', async (path, part) => {
    const response = await served.fetch(path)
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(html).toContain(`data-part="${part}"`)
    expect(marks(html)).toEqual(['de'])
  })

  test.each([
    ['/de/zu/one', 200],
    ['/de/closed/one', 308],
    ['/de/zu/two', 404],
    ['/en/closed/one', 200],
    ['/en/zu/one', 404],
  ])('dynamicParams = false: %s gets %i', async (path, status) => {
    expect((await served.fetch(path)).status).toBe(status)
  })
})

describeModes('stored pages', { app: 'i18nParts', modes: ['production'] }, (served) => {
  const timeOf = async (path: string) => {
    const response = await served.fetch(path)
    const text = await response.text()
    return { time: /<time>(.*?)<\/time>/.exec(text)?.[1], marks: marks(text) }
  }

  test('keep their language when they are rendered again', async () => {
    const paths = { en: '/en/timed', de: '/de/zeit', ar: '/ar/timed' }
    for (const [language, path] of Object.entries(paths)) {
      const first = await timeOf(path)
      expect(first.marks).toEqual([language])
      await expect.poll(async () => (await timeOf(path)).time).not.toBe(first.time)
      expect((await timeOf(path)).marks).toEqual([language])
    }
  })

  test.each([
    ['/de/ueber-uns', 'page'],
    ['/[locale]/about', 'page'],
    ['/[locale]', 'layout'],
    ['/', 'layout'],
  ])('revalidatePath(%j, %j) renders a page with a translated path again', async (path, type) => {
    const cacheState = async () =>
      (await served.fetch('/de/ueber-uns')).headers.get('waymark-cache')
    await expect.poll(cacheState).toBe('hit')
    await state(served, { path, type })
    expect(await cacheState()).not.toBe('hit')
    await expect.poll(cacheState).toBe('hit')
    expect((await timeOf('/de/ueber-uns')).marks).toEqual(['de'])
  })
})

describeModes('redirects to languages', { app: 'i18nParts', modes: ['production'] }, (served) => {
  test.each([
    '//evil.com',
    '//evil.com/about',
    '/\\evil.com',
    '/%2f%2fevil.com',
    '/%5cevil.com',
    '/.//evil.com',
    '/..//evil.com',
    '/de/%2f%2fevil.com',
    '/de//evil.com',
    '/DE//evil.com/',
    '/DE/%2fevil.com',
    '/about%0d%0aset-cookie:%20a=b',
    '/%0d%0alocation:%20https:%2f%2fevil.com',
    'https://evil.com/about',
    '/about/..;/x',
    '/?next=//evil.com',
    '/%E0%A4%A',
    `/${'a'.repeat(7_000)}`,
    '/_waymark/data/about.rsc',
    '/_waymark/data/de/about.rsc',
    '/_waymark/data//evil.com.rsc',
  ])('%s leads nowhere else', async (target) => {
    for (const headers of [
      { 'accept-language': 'de' },
      { host: 'evil.com', 'x-forwarded-host': 'evil.com', 'x-forwarded-proto': 'https' },
      { 'accept-language': 'de\r\n\tx', cookie: `waymark-locale=${'a'.repeat(6_000)}` },
      { cookie: 'waymark-locale=//evil.com; waymark-locale=de%0d%0a' },
    ]) {
      let at = target
      const seen: string[] = []
      for (let hop = 0; hop < 5; hop++) {
        const answer = await rawRequest(served.app.origin, at, { headers })
        expect(answer.status, at).toBeLessThan(500)
        const location = answer.headers.get('location')
        expect(answer.headers.get('set-cookie')).toBeNull()
        if (location === null) break
        expect(location, at).toMatch(/^\/(?![/\\])/)
        expect(seen, 'a loop').not.toContain(location)
        if (answer.status === 307) {
          expect(answer.headers.get('cache-control')).toBe('private, no-store')
        }
        seen.push(location)
        at = location
      }
      expect(seen.length).toBeLessThan(4)
    }
  })

  test('a permanent redirect does not depend on the visitor, and is revalidated', async () => {
    const lines = await Promise.all(
      [{}, { 'accept-language': 'ar', cookie: 'waymark-locale=en' }].map(async (headers) => {
        const response = await served.fetch('/de/about', { headers })
        const { status } = response
        return [status, response.headers.get('location'), response.headers.get('cache-control')]
      }),
    )
    expect(lines[0]).toEqual([308, '/de/ueber-uns', 'private, no-store'])
    expect(lines[1]).toEqual(lines[0])
  })

  test('HEAD is redirected as GET, and a POST without a language is not', async () => {
    const head = await served.fetch('/about', {
      method: 'HEAD',
      headers: { 'accept-language': 'de' },
    })
    expect([head.status, head.headers.get('location')]).toEqual([307, '/de/ueber-uns'])
    const post = await served.fetch('/about', { method: 'POST', body: new FormData() })
    expect(post.status).toBeLessThan(500)
    expect(post.headers.get('location')).toBeNull()
    // The response to the POST is stored nowhere.
    expect((await served.fetch('/about')).status).toBe(307)
  })
})

describe.each([
  ['as-needed', { PREFIX: 'as-needed' }, '', ''],
  ['a base path and slashes', { BASE_PATH: '/shop', SLASH: '1' }, '/shop', '/'],
  ['all of them', { BASE_PATH: '/shop', SLASH: '1', PREFIX: 'as-needed' }, '/shop', '/'],
])('with %s', (name, env: Record<string, string>, base, slash) => {
  const isAsNeeded = env.PREFIX === 'as-needed'
  const english = isAsNeeded ? '' : '/en'
  const url = (path: string) => (base + path + slash).replace(/\/+$/, slash) || '/'

  describeModes(`languages with ${name}`, { app: 'i18nParts', env }, (served) => {
    test('each page has one URL', async () => {
      const cases = [
        ['/de/about', '/de/ueber-uns'],
        ['/DE/zeit', '/de/zeit'],
        ...(isAsNeeded
          ? [
              ['/en/about', '/about'],
              ['/en', ''],
            ]
          : []),
      ]
      for (const [from = '', to = ''] of cases) {
        const response = await served.fetch(url(from))
        expect([from, response.status, response.headers.get('location')]).toEqual([
          from,
          308,
          url(to),
        ])
        const target = await served.fetch(url(to))
        expect(target.status).toBe(200)
      }
      for (const path of [`${english}`, `${english}/about`]) {
        const html = await (await served.fetch(url(path))).text()
        expect([path, marks(html)]).toEqual([path, ['en']])
      }
      const chosen = await served.fetch(url('/about'), { headers: { 'accept-language': 'de' } })
      expect([chosen.status, chosen.headers.get('location')]).toEqual(
        isAsNeeded ? [200, null] : [307, url('/de/ueber-uns')],
      )
    })

    test('links, the switch and Back lead to the same language', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      const path = () => new URL(page.url()).pathname
      await page.goto(url('/de'))
      await hydrated(page)
      await page.getByRole('link', { name: 'About', exact: true }).click()
      await expectPart(page, 'about', 'de')
      await expect.poll(path).toBe(url('/de/ueber-uns'))
      await page.getByRole('link', { name: 'English' }).click()
      await expect.poll(() => marksOnScreen(page)).toEqual(['en'])
      await expectPart(page, 'about', 'en')
      await expect.poll(path).toBe(url(`${english}/about`))
      await hydrated(page)
      await page.getByRole('link', { name: 'Timed' }).click()
      await expectPart(page, 'timed', 'en')
      await page.getByRole('link', { name: 'العربية' }).click()
      await expect.poll(() => marksOnScreen(page)).toEqual(['ar'])
      await page.goBack()
      await expectPart(page, 'timed', 'en')
      const cookies = await page.context().cookies()
      expect(cookies.find((each) => each.name === 'waymark-locale')?.path).toBe(base || '/')
      expectQuietConsole()
    })
  })
})
