import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

describeModes('an App Router app whose root layout has a param', { app: 'nextLang' }, (served) => {
  const read = async (path: string) => {
    const response = await served.fetch(path, { redirect: 'follow' })
    const html = (await response.text()).replaceAll('<!-- -->', '')
    return [
      response.status,
      /<html lang="(.*?)"/.exec(html)?.[1],
      /<h1>(.*?)<\/h1>/.exec(html)?.[1],
    ]
  }

  test.each([
    ['/en', 200, 'en', 'Home en'],
    ['/de/about', 200, 'de', 'About de'],
    ['/de/docs/a/b', 200, 'de', 'Docs de a/b'],
    ['/de/nowhere', 404, 'de', 'Nothing de'],
    ['/de/cached', 200, 'de', 'rootParams() was used in a cached function, '],
  ])('%s reads it', async (path, ...expected) => {
    expect(await read(path)).toEqual(expected)
  })

  test('so do metadata, route handlers and actions', async () => {
    expect(await (await served.fetch('/de/api')).json()).toEqual({ lang: 'de' })
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/de/about')
    await hydrated(page)
    expect(await page.title()).toBe('Title de')
    await page.getByRole('button', { name: 'Say' }).click()
    await page.getByText('said de').waitFor()
    await page.goto('/en/about')
    await hydrated(page)
    await page.getByRole('button', { name: 'Docs' }).click()
    await page.getByRole('heading', { name: 'Docs de a/b' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expectQuietConsole()
  })
})
