import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp, describeModes, type Served } from './harness/describeModes.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { hydratedElement, openPage, type Visit } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'

declare global {
  interface Window {
    violations?: string[]
    ran?: number
    foreign?: boolean
    changed?: boolean
  }
}

/** Opens a page, and records violations of the policy in each of its documents. */
async function watched(
  { app }: { readonly app: Parameters<typeof openPage>[0] },
  options: Parameters<typeof openPage>[1] = {},
) {
  const visit = await openPage(app, options)
  const refused: string[] = []
  await visit.page.exposeFunction('tellViolation', (text: string) => refused.push(text))
  await visit.page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { tellViolation } = window as unknown as { tellViolation(text: string): void }
      tellViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
    })
  })
  return { ...visit, refused }
}

async function expectRunning({ page }: Visit, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  const button = page.getByRole('button', { name: /^count/ }).first()
  await hydratedElement(button)
  const before = Number(/\d+/.exec(String(await button.textContent()))?.[0])
  await button.click()
  await expect.poll(() => button.textContent()).toContain(`count ${before + 1}`)
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

describeModes('a Content-Security-Policy', { app: 'security' }, (served) => {
  test.each(['/', '/dynamic', '/streamed', '/streamed?waymark-whole=1', '/binary'])(
    '%s runs, with a quiet console and no violations',
    async (path) => {
      const visit = await watched(served)
      await visit.page.goto(path)
      await expectRunning(visit, path === '/' ? 'static' : String(/\w+/.exec(path)))
      visit.expectQuietConsole()
      expect(visit.refused).toEqual([])
    },
  )

  test('late parts, which React moves to their place with a script, arrive', async () => {
    const visit = await watched(served)
    await visit.page.goto('/outlined')
    await visit.page.locator('#second').getByText('sentence 599 ').waitFor()
    visit.expectQuietConsole()
    expect(visit.refused).toEqual([])
  })

  test.each(['/marked', '/dynamic'])('the app’s own script and style run on %s', async (path) => {
    const visit = await watched(served)
    await visit.page.goto(path)
    const marked = visit.page.locator('p.marked')
    await expect.poll(() => visit.page.evaluate(() => window.ran)).toBe(1)
    expect(await marked.evaluate((node) => getComputedStyle(node).color)).toBe('rgb(1, 2, 3)')
    visit.expectQuietConsole()
    expect(visit.refused).toEqual([])
  })

  test.each(['/foreign', '/foreign/static'])(
    'nothing that was injected runs on %s',
    async (path) => {
      const visit = await watched(served)
      await visit.page.goto(path)
      await visit.page.getByRole('heading', { name: 'foreign' }).waitFor()
      await expect.poll(() => visit.refused.length).toBeGreaterThanOrEqual(3)
      expect(await visit.page.evaluate(() => window.foreign)).toBeUndefined()
      const color = visit.page.locator('p.foreign').evaluate((node) => getComputedStyle(node).color)
      expect(await color).not.toBe('rgb(9, 9, 9)')
    },
  )

  test('navigations work, with the styles of the next page', async () => {
    const visit = await watched(served)
    const { page } = visit
    await page.goto('/dynamic')
    await expectRunning(visit, 'dynamic')
    await link(page, '/styled').click()
    await page.getByRole('heading', { name: 'styled', exact: true }).waitFor()
    const styled = page.locator('p.styled')
    expect(await styled.evaluate((node) => getComputedStyle(node).color)).toBe('rgb(4, 5, 6)')
    const hidden = page.locator('main [data-waymark-theme-toggle] b').first()
    expect(await hidden.evaluate((node) => getComputedStyle(node).position)).toBe('absolute')
    await link(page, '/streamed').click()
    await page.getByText('the slow part').waitFor()
    await link(page, '/').click()
    await expectRunning(visit, 'static')
    visit.expectQuietConsole()
    expect(visit.refused).toEqual([])
  })
})

describeApp('a Content-Security-Policy, from page to page', { app: 'security' }, (served) => {
  test('a prefetched loading screen has its style', async () => {
    const visit = await watched(served)
    const { page } = visit
    const isPrefetched = (url: string) => url.includes('/_waymark/data/ahead.rsc')
    const fetched = page.waitForResponse(
      (response) =>
        isPrefetched(response.url()) && 'waymark-prefetch' in response.request().headers(),
    )
    await page.goto('/dynamic')
    await expectRunning(visit, 'dynamic')
    const nonce = await page
      .locator('script[nonce]')
      .first()
      .evaluate((it) => it.nonce)
    const prefetched = await fetched
    expect(prefetched.status()).toBe(200)
    expect(prefetched.request().headers()['waymark-nonce']).toBe(nonce)
    await prefetched.finished()
    await link(page, '/ahead').click()
    const loadingText = page.locator('p.loading')
    expect(await loadingText.evaluate((node) => getComputedStyle(node).color)).toBe('rgb(7, 8, 9)')
    await page.getByRole('heading', { name: 'ahead', exact: true }).waitFor()
    visit.expectQuietConsole()
    expect(visit.refused).toEqual([])
  })

  test('the theme changes, and is restored before the first paint', async () => {
    const visit = await watched(served, { colorScheme: 'light' })
    const { page } = visit
    await page.goto('/')
    const select = await hydratedElement(page.locator('[data-waymark-theme-select] select'))
    await select.selectOption('dark')
    await page.reload()
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    const invisible = page.locator('[data-waymark-theme-toggle] b').first()
    expect(await invisible.evaluate((node) => getComputedStyle(node).position)).toBe('absolute')
    expect(visit.refused).toEqual([])
  })

  test.each([
    ['/broken', 'Application error'],
    ['/members', 'could not be accessed'],
    ['/nowhere', 'could not be found'],
    ['/%00', 'Bad Request'],
    ['/late/gone', 'could not be found'],
  ])('the screen of %s has its style', async (path, text) => {
    const visit = await watched(served)
    await visit.page.goto(path)
    const title = visit.page.getByRole('heading', { name: text })
    await title.waitFor()
    const style = title.evaluate((node) => getComputedStyle(node).borderTopStyle)
    expect(await style).toBe('solid')
    expect(visit.refused).toEqual([])
  })

  test('a late redirect works', async () => {
    const visit = await watched(served)
    await visit.page.goto('/late/moved')
    await visit.page.getByRole('heading', { name: 'dynamic', exact: true }).waitFor()
    expect(visit.refused).toEqual([])
  })

  test('a slow or failed navigation shows its notice', async () => {
    const visit = await watched(served)
    const { page } = visit
    await page.goto('/')
    await expectRunning(visit, 'static')
    await page.route('**/_waymark/data/**', () => {})
    await link(page, '/streamed').click()
    const notices = page.locator('[data-waymark-notices]')
    await notices.getByRole('button', { name: 'Keep waiting' }).waitFor()
    expect(await notices.evaluate((node) => getComputedStyle(node).position)).toBe('fixed')
    expect(visit.refused).toEqual([])
  })

  test('each document has its own nonce, and keeps it when it requests data', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await served.fetch('/dynamic')).headers),
    )
    const nonces = policies.map(
      (headers) => /'nonce-([\w-]{22})'/.exec(headers.get('content-security-policy') ?? '')?.[1],
    )
    expect(nonces[0]).toMatch(/^[\w-]{22}$/)
    expect(nonces[0]).not.toBe(nonces[1])
    const path = '/_waymark/data/dynamic.rsc'
    const dataWithNonce = async (nonce: string) =>
      (await served.fetch(path, { headers: { 'waymark-nonce': nonce } })).text()
    expect(await dataWithNonce('A'.repeat(22))).toContain('A'.repeat(22))
    const hostile = '"><script>alert(1)</script>'
    expect(await dataWithNonce(hostile)).not.toContain(hostile)
  })

  test('a handler’s page has the policy, unless the handler sets its own', async () => {
    const page = await served.fetch('/api/page')
    const nonce = /nonce="([\w-]{22})"/.exec(await page.text())?.[1]
    expect(page.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`)
    const withPolicy = await served.fetch('/api/page?own')
    expect(withPolicy.headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(withPolicy.headers.get('referrer-policy')).toBe('no-referrer')
    expect(withPolicy.headers.get('x-frame-options')).toBeNull()
  })

  test('every response has the default headers', async () => {
    const assets = /\/_waymark\/assets\/[\w.-]+/.exec(await (await served.fetch('/')).text())
    const targets = [
      '/',
      '/dynamic',
      '/_waymark/data/dynamic.rsc',
      '/_waymark/data.rsc',
      '/broken',
      '/nowhere',
      '/%00',
      '/dynamic/',
      '/api/page',
      '/favicon.ico',
      ...(served.mode === 'production' ? [String(assets)] : []),
    ]
    for (const target of targets) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        if (method === 'OPTIONS' && target.startsWith('/_waymark/assets')) continue
        const { headers } = await rawRequest(served.app.origin, target, { method })
        expect([
          target,
          headers.get('x-content-type-options'),
          headers.get('referrer-policy'),
          headers.get('x-frame-options'),
        ]).toEqual([target, 'nosniff', 'strict-origin-when-cross-origin', 'SAMEORIGIN'])
      }
    }
  })
})

const withStrictDynamic = {
  app: 'security',
  files: {
    'vite.config.ts': `import { waymark } from 'waymark/vite'

const csp = { directives: { 'script-src': ["'self'", "'strict-dynamic'"] } }
export default {
  plugins: [waymark({ security: { csp }, navigation: { timeoutMs: 1500 } })],
}
`,
  },
}

describe.each([
  ['by hashes, or a nonce', { app: 'security' }, ['/', '/dynamic']],
  // Static pages are left out, because they have no nonce that a policy with 'strict-dynamic' could
  // trust.
  ["with 'strict-dynamic'", withStrictDynamic, ['/dynamic']],
])('code that is loaded again, allowed %s', (name, files, paths) => {
  describeModes(name, { ...files, modes: ['production'] }, (served) => {
    const proxy = proxyBefore(served, [])

    test.each(paths)('%s runs without violations', async (path) => {
      const { target } = chunkWith(served, 'count ')
      const isOfChunk = (request: { target: string }) => request.target.includes(target)
      const rule = proxy.now.inject(
        { kind: 'replace', status: 404, body: 'not found' },
        { match: isOfChunk, times: 2 },
      )
      const visit = await watched({ app: proxy.now })
      await visit.page.goto(path)
      await expectRunning(visit, path === '/' ? 'static' : 'dynamic')
      expect(rule.hits).toBe(2)
      expect(proxy.now.requests.some(({ target }) => target.includes('?retry='))).toBe(true)
      expect(visit.refused).toEqual([])
    })

    test.each(paths)('%s runs only the bytes of the build', async (path) => {
      const { target, code } = chunkWith(served, 'count ')
      proxy.now.inject(
        {
          kind: 'replace',
          status: 200,
          // Cache the script as the app caches its own. Chromium fetches a script twice if it can't
          // be cached, but checks it only once.
          headers: { 'content-type': 'text/javascript', 'cache-control': 'max-age=31536000' },
          body: `window.changed = true;${code}`,
        },
        { match: (request) => request.target.includes(target) },
      )
      const { page } = await watched({ app: proxy.now })
      await page.goto(path)
      await page.locator('[data-waymark-notice]').waitFor()
      expect(await page.evaluate(() => window.changed)).toBeUndefined()
    })
  })
})

/** Returns the name of the built script that contains a text. */
function chunkWith({ app }: Served, text: string) {
  const scripts = readdirSync(app.root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /client\/.*\.js$/.test(file) && !file.includes('node_modules'))
    .map((file) => ({ target: file.split('/').at(-1) ?? '', path: join(app.root, file) }))
    .map(({ target, path }) => ({ target, code: readFileSync(path, 'utf8') }))
  const script = scripts.find(({ code }) => code.includes(text))
  if (!script) throw new Error(`No script of the build has “${text}”.`)
  return script
}
