import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { digestPattern, lookUp } from './harness/digests.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const evil = encodeURIComponent('//evil.example')

describeModes('a redirect that a client has spoilt', { app: 'errors' }, (served) => {
  test.each([
    ['document', `/next?next=${evil}`],
    ['data', `/_waymark/data/next.rsc?next=${evil}`],
    ['document', '/next?next=javascript:alert(1)'],
    ['document', '/next/to/evil.example'],
    ['route-handler', `/next/api?next=${evil}`],
  ])('%s %s is 400, with a digest', async (phase, path) => {
    const response = await served.fetch(path)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBe(null)
    const digest = response.headers.get('x-waymark-digest') ?? ''
    const body = await response.text()
    if (phase !== 'data') expect(body).toContain('Bad Request')
    if (served.mode === 'production') expect(body).not.toContain('REDIRECT_TARGET')
    expect(await lookUp(served, digest)).toMatchObject({ phase, status: 400 })
  })

  test('a target of the app itself that is refused is 500', async () => {
    expect((await served.fetch('/next?own=1')).status).toBe(500)
  })

  test('a form without scripts', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/next')
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Go' }).click()
    const response = await answered
    expect(response.status()).toBe(400)
    const digest = response.headers()['x-waymark-digest'] ?? ''
    expect(await lookUp(served, digest)).toMatchObject({ phase: 'action', status: 400 })
  })

  test('a call', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/next')
    const button = await hydratedElement(page.getByRole('button', { name: 'Call' }))
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await button.click()
    expect((await answered).status()).toBe(400)
    await expect.poll(() => page.locator('output').textContent()).toMatch(digestPattern)
    const digest = String(await page.locator('output').textContent())
    expect(await lookUp(served, digest)).toMatchObject({ phase: 'action', status: 400 })
  })
})
