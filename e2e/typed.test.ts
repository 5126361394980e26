import { expect, test } from 'vitest'
import { root } from '../scripts/workspace/paths.mjs'
import { run } from '../scripts/workspace/run.mjs'
import { copyApp, waymarkCommand } from './harness/appFolder.ts'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

test.each([
  ['href, param or query', 'typed'],
  ['message, argument or language', 'typedI18n'],
])('a wrong %s is a type error', async (_, app) => {
  const cwd = copyApp({ app })
  const written = await run(process.execPath, [waymarkCommand(), 'types'], { cwd, quiet: true })
  expect(written.exitCode, written.output).toBe(0)
  const tsc = `${root}/node_modules/typescript/bin/tsc`
  const checked = await run(process.execPath, [tsc, '-p', cwd], { cwd, quiet: true })
  expect(checked.output).toBe('')
  expect(checked.exitCode).toBe(0)
})

describeApp('validated queries', { app: 'typed' }, (served) => {
  test.each([
    ['/search', 200, '1.0'],
    ['/search?page=4', 200, '4.0'],
    ['/search?page=-4', 400, '400: Bad Request'],
    ['/search?page=4&page=5', 400, '400: Bad Request'],
    ['/list?order=down', 200, 'down'],
    ['/list?order=sideways', 400, '400: Bad Request'],
  ])('%s gets a %i', async (url, status, text) => {
    const response = await served.fetch(url)
    expect(response.status).toBe(status)
    const html = await response.text()
    expect(html).toContain(text)
    if (status === 400) expect(html).toContain('noindex')
  })

  test('the page, its title and its components in the browser see the same value', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    const link = page.getByRole('link', { name: 'Third page' })
    await hydrated(page)
    await link.click()
    await expect.poll(() => page.locator('#server').textContent()).toBe('3.0')
    expect(await page.locator('#client').textContent()).toBe('4')
    expect(await page.title()).toBe('Page 3')
    expect(new URL(page.url()).search).toBe('?page=3')
    expectQuietConsole()
  })

  test('a link with an invalid query leads to the screen', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    const link = page.getByRole('link', { name: 'No page' })
    await hydrated(page)
    await link.click()
    await page.getByRole('heading', { name: 'Bad Request' }).waitFor()
    expect(new URL(page.url()).search).toBe('?page=none')
  })
})
