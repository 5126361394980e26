import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const headings = {
  'not-found': 'Nest: not found',
  forbidden: 'Nest: forbidden',
  unauthorized: 'Nest: unauthorized',
}

// Chromium logs an error if page data has the status of a failure.
const statusOfData = [/Failed to load resource: the server responded with a status of 40[134]/]

// Make the page static, so that its prerendered HTML contains no screen.
const files = {
  'app/again/page.tsx': `import { MaybeMissing } from './maybeMissing.tsx'
export const dynamic = 'force-static'
export default function Page() {
  return <main><h1>Here it is</h1><MaybeMissing /></main>
}
`,
}

describeApp('signals in client components', { app: 'errors', files }, (served) => {
  test.each(Object.entries(headings))('%s() shows the nearest screen', async (what, heading) => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto(`/nest/signals/${what}`)
    const button = await hydratedElement(page.getByRole('button', { name: 'Throw' }))
    await button.click()
    await page.locator('#nest').getByRole('heading', { name: heading }).waitFor()
    expect(await page.locator('header').textContent()).toBe('Errors app')
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex')
    expect(new URL(page.url()).pathname).toBe(`/nest/signals/${what}`)
    expectQuietConsole(statusOfData)
  })

  test('a signal in the first rendering after a navigation does so, too', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/nest/signals/forbidden')
    await (await hydratedElement(page.getByRole('link', { name: 'At once' }))).click()
    await page.locator('#nest').getByRole('heading', { name: 'Nest: forbidden' }).waitFor()
    expect(page.url()).toContain('/nest/signals/forbidden?now')
  })

  test('a document has the status of a signal in its first rendering', async () => {
    const away = await served.fetch('/signals/redirect?everywhere')
    expect([away.status, away.headers.get('location')]).toEqual([307, '/'])
    expect((await served.fetch('/nest/signals/not-found?everywhere')).status).toBe(404)
  })

  test.each([
    ['not-found', '404', 'This page could not be found.'],
    ['forbidden', '403', 'This page could not be accessed.'],
  ])('%s() without a file shows the built-in screen', async (what, status, heading) => {
    const { page } = await openPage(served.app)
    await page.goto(`/signals/${what}`)
    await (await hydratedElement(page.getByRole('button', { name: 'Throw' }))).click()
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.getByText(status, { exact: true }).waitFor()
    expect(await page.locator('header').textContent()).toBe('Errors app')
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  })

  test('without page data, the built-in screen shows with its links', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/nest/signals/not-found')
    const button = await hydratedElement(page.getByRole('button', { name: 'Throw' }))
    await page.route('**/_waymark/data/**', (route) => route.abort())
    await button.click()
    await page.locator('#nest').getByText('This page could not be found.').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  })

  test('a refresh of a screen shows the page again, and its links work', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/again')
    for (let round = 0; round < 2; round++) {
      await (await hydratedElement(page.getByRole('button', { name: 'Lose' }))).click()
      await page.getByRole('heading', { name: 'Lost' }).waitFor()
      if (round > 0) continue
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'Here it is' }).waitFor()
    }
    await page.getByRole('link', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  })

  test('the browser can choose no other statuses, and nothing that it may not see', async () => {
    const ask = (value: string) =>
      served.fetch('/_waymark/data/again.rsc', { headers: { 'waymark-final-status': value } })
    const key = /"tree":\{"key":"([^"]*)"/.exec(await (await ask('1')).text())?.[1] ?? 'none'
    const matching = await ask(`404;children;${key}`)
    expect([matching.status, matching.headers.get('cache-control')]).toEqual([
      404,
      'private, no-store',
    ])
    for (const value of ['500;children;', '200;;', '404', '404;children;/no', '404;__proto__;']) {
      expect((await ask(`${value}${key}`)).status, value).toBe(200)
    }
  })
})
