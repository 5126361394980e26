import { expect, onTestFinished, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { openPage } from './harness/page.ts'

describeModes('a basic app', { app: 'basic' }, (served) => {
  test('responds with HTML that contains its text', async () => {
    const response = await served.fetch('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    const html = await response.text()
    expect(html).toContain('<h1>It runs</h1>')
    expect(html).toContain('Basic app')
  })

  test('can be read without JavaScript', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/')
    expect(await page.title()).toBe('Basic app')
    expect(await page.getByRole('heading').textContent()).toBe('It runs')
    expect(await page.getByRole('button').textContent()).toBe('Count 2')
  })

  test('hydrates in the browser, and the console stays quiet', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await page.locator('button[data-hydrated=true]').click()
    await expect.poll(() => page.getByRole('button').textContent()).toBe('Count 3')
    expectQuietConsole()
  })

  test('works the same through a proxy that sends a few bytes at a time', async () => {
    const proxy = await startFaultProxy(served.app.origin)
    onTestFinished(() => proxy.stop())
    const slow = proxy.inject(
      { kind: 'slow', bytesPerSecond: 20_000 },
      { match: ({ target }) => target === '/' },
    )
    const { page, expectQuietConsole } = await openPage(proxy)
    await page.goto('/')
    await page.locator('button[data-hydrated=true]').waitFor()
    expect(slow.hits).toBe(1)
    expectQuietConsole()
  })
})
