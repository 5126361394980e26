import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { digestPattern } from './harness/digests.ts'
import { hydrated } from './harness/hydrated.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'

const json = { accept: 'application/json' }

describeApp('screens for programs', { app: 'errors' }, (served) => {
  test.each([
    ['/page/not-found', 404, 'Not Found'],
    ['/page/forbidden', 403, 'Forbidden'],
    ['/page/unauthorized', 401, 'Unauthorized'],
    ['/layout/throw', 500, 'Internal Server Error'],
    ['/nest/not-found', 404, 'Not Found'],
    ['/nest/throw', 500, 'Internal Server Error'],
    ['/api/throw', 500, 'Internal Server Error'],
    ['/no/such/page', 404, 'Not Found'],
    ['/%zz', 400, 'Bad Request'],
  ])('%s is a problem document with status %i', async (path, status, title) => {
    const answer = await rawRequest(served.app.origin, path, { headers: json })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('vary')).toContain('accept')
    const digest = answer.headers.get('x-waymark-digest')
    expect(digest === null).toBe(status !== 500)
    expect(JSON.parse(answer.body)).toMatchObject({ status, title, ...(digest ? { digest } : {}) })
    expect(answer.body).not.toMatch(/secret|Nest|REDACTED/)
  })

  test('a browser gets HTML, and successful responses stay unchanged', async () => {
    const accept = 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8'
    const screen = await served.fetch('/page/not-found', { headers: { accept } })
    expect(screen.headers.get('content-type')).toContain('text/html')
    const page = await served.fetch('/landing', { headers: json })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
  })
})

describeApp('screens in other languages', { app: 'errors' }, (served) => {
  const inLanguage = async (path: string, language: string) =>
    (await served.fetch(path, { headers: { 'accept-language': language } })).text()

  test('are in the language that the request prefers', async () => {
    const german = await inLanguage('/page/not-found', 'fr, de-AT;q=0.9, en;q=0.5')
    expect(german).toContain('Diese Seite gibt es nicht.')
    expect(german).toContain('<title>404: Diese Seite gibt es nicht.</title>')
    expect(german).toMatch(/class="waymark-screen" lang="de" dir="ltr"/)
    expect(german).toContain('>Startseite</a>')
    const arabic = await inLanguage('/page/not-found', 'ar')
    expect(arabic).toMatch(/class="waymark-screen" lang="ar" dir="rtl"/)
    expect(arabic).toContain('لم يتم العثور')
    const failed = await inLanguage('/layout/throw', 'ar')
    expect(failed).toContain('<title>500: حدث خطأ</title>')
    expect(failed).toMatch(/<h1[^>]*>حدث خطأ<\/h1>/)
    expect(failed).not.toContain('server-side exception')
    expect(await inLanguage('/page/not-found', 'tlh')).toContain('This page could not be found.')
    const { body } = await rawRequest(served.app.origin, '/%zz', {
      headers: { 'accept-language': 'de', accept: 'text/html' },
    })
    expect(body).toMatch(/<html lang="de" dir="ltr"/)
    const headers = { 'accept-language': 'de', ...json }
    const problem = await (await served.fetch('/page/not-found', { headers })).json()
    expect(problem).toMatchObject({ title: 'Not Found', detail: 'Diese Seite gibt es nicht.' })
  })

  test('include late screens, and those that the browser itself renders', async () => {
    expect(await inLanguage('/latepage/not-found', 'de')).toContain('Diese Seite gibt es nicht.')
    const { page } = await openPage(served.app, { locale: 'de-DE' })
    await page.goto('/late/throw')
    await page.getByText('Im Browser ist ein Fehler aufgetreten.').waitFor()
    expect(await page.locator('.waymark-screen-digest').textContent()).toMatch(
      new RegExp(`^Kennung: ${digestPattern.source}$`),
    )
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.goto('/page/nothing')
    await hydrated(page)
    await page.route('**/_waymark/data/**', () => {})
    await page.evaluate(() => {
      const link = document.createElement('a')
      link.href = '/landing'
      document.body.append(link)
      link.click()
    })
    const notice = page.locator('[data-waymark-notice]')
    await notice.getByText('Das dauert länger als sonst.').waitFor()
    expect(await notice.getAttribute('lang')).toBe('de')
    await notice.getByRole('button', { name: 'Keep waiting' }).waitFor()
    await notice.getByRole('button', { name: 'Abbrechen' }).click()
  })

  test('include the plain screen, which is shown if the code of screens does not arrive', async () => {
    if (served.mode === 'dev') return
    const { page } = await openPage(served.app, { locale: 'de-DE' })
    // Keep the browser from loading the code of the screens before the error needs the code.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    await page.route(/routerChunk/, (route) => route.fulfill({ status: 404 }))
    await page.goto('/browser/each')
    await (await hydratedElement(page.getByRole('button', { name: 'Render' }))).click()
    await page.getByRole('heading', { name: 'Fehler im Browser' }).waitFor()
    expect(await page.title()).toBe('Fehler im Browser')
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByRole('link', { name: 'Neu laden' }).waitFor()
    await page.getByRole('link', { name: 'Startseite' }).waitFor()
  })

  test('include the message of a server action', async () => {
    const { page } = await openPage(served.app, { locale: 'de-DE' })
    await page.goto('/action/nothing')
    await hydrated(page)
    await page.route('**/action/nothing', (route) => route.abort())
    await page.getByRole('button', { name: 'Run' }).click()
    const notice = page.locator('[data-waymark-notice]')
    await notice.getByText('Das konnte nicht gesendet werden.').waitFor()
    await notice.getByRole('button', { name: 'Retry' }).waitFor()
    await notice.getByRole('button', { name: 'Verwerfen' }).click()
  })
})

const listed = {
  'app/items/[id]/page.tsx': `import { notFound } from 'waymark'
export const generateStaticParams = () => [{ id: 'a' }]
export default async function Item({ params }: { params: Promise<{ id: string }> }) {
  if ((await params).id !== 'a') notFound()
  return <h1>Item a</h1>
}
`,
}

describeApp('a route with listed params', { app: 'basic', files: listed }, (served) => {
  test('answers a program in JSON if its page does not exist', async () => {
    for (const id of ['x', 'x', 'y']) {
      const response = await served.fetch(`/items/${id}`, {
        headers: { accept: 'application/json' },
      })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await response.json()).toMatchObject({ status: 404 })
    }
    const page = await served.fetch('/items/x', { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
  })
})
