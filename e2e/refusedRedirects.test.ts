import { expect, test } from 'vitest'
import { runWaymark } from './harness/commandLine.ts'
import { describeApp, type Served } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const beganMs = Date.now()
const evil = encodeURIComponent('//evil.example')

/**
 * Checks that a client's mistakes leave no entries, because clients could otherwise fill the
 * journal and the log.
 */
async function expectUnreported({ app, mode }: Served): Promise<void> {
  const { exitCode, output } = await runWaymark(['errors', '--json'], app.root)
  expect(exitCode, output).toBe(0)
  // Ignore entries that earlier runs have left.
  const entries: { timeMs: number }[] = JSON.parse(output)
  const ofThisRun = entries.filter(({ timeMs }) => timeMs > beganMs)
  expect(JSON.stringify(ofThisRun)).not.toContain('REDIRECT_TARGET')
  // In development, one line informs the developer.
  if (mode === 'production') expect(app.logs()).not.toContain('evil.example')
  else await expect.poll(app.logs).toContain('400, caused by what the client sent')
}

describeApp('a redirect to an invalid target of a client', { app: 'errors' }, (served) => {
  test.each([
    ['document', `/next?next=${evil}`],
    ['data', `/_waymark/data/next.rsc?next=${evil}`],
    ['document', '/next?next=javascript:alert(1)'],
    ['document', '/next/to/evil.example'],
    ['route-handler', `/next/api?next=${evil}`],
  ])('%s %s is a 400 without a digest', async (phase, path) => {
    const response = await served.fetch(path)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBe(null)
    expect(response.headers.get('x-waymark-digest')).toBe(null)
    const body = await response.text()
    if (phase !== 'data') expect(body).toContain('Bad Request')
    if (served.mode === 'production') expect(body).not.toContain('REDIRECT_TARGET')
    await expectUnreported(served)
  })

  test('a form without scripts', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/next')
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Go' }).click()
    const response = await answered
    expect(response.status()).toBe(400)
    expect(response.headers()['x-waymark-digest']).toBe(undefined)
    await expectUnreported(served)
  })

  test('a call', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/next')
    const button = await hydratedElement(page.getByRole('button', { name: 'Call' }))
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await button.click()
    expect((await answered).status()).toBe(400)
    await expect.poll(() => page.locator('output').textContent()).toBe('undefined')
    await expectUnreported(served)
  })

  test('a refused target that the app itself chose is a 500', async () => {
    const response = await served.fetch('/next?own=1')
    expect(response.status).toBe(500)
    expect(response.headers.get('x-waymark-digest')).not.toBe(null)
  })
})
