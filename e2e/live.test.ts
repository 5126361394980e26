import { expect, onTestFinished, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { add, end, isWaiting, livePath, notes, open, watch } from './harness/livePages.ts'
import { openPage } from './harness/page.ts'

const secret = 'the secret of whoever changes the stock from outside'

describeApp('live pages', { app: 'live', env: { WAYMARK_LIVE_SECRET: secret } }, (served) => {
  test('a change appears for everybody who has the page open', async () => {
    const [one, other] = await Promise.all([open(served.app, '/board'), open(served.app, '/board')])
    const draft = one.page.getByLabel('Draft')
    await draft.fill('half a sentence')
    await draft.evaluate((field) => (field as HTMLInputElement).setSelectionRange(2, 6))
    const startedAtMs = Date.now()
    await add(served.app, 'milk')
    for (const { page } of [one, other]) await expect.poll(() => notes(page)).toContain('milk')
    // Expect a push: a page that polls would ask only every ten seconds.
    expect(Date.now() - startedAtMs).toBeLessThan(8_000)
    expect(await draft.inputValue()).toBe('half a sentence')
    const selected = await draft.evaluate((field) => {
      const { selectionStart, selectionEnd } = field as HTMLInputElement
      return [document.activeElement === field, selectionStart, selectionEnd]
    })
    expect(selected).toEqual([true, 2, 6])
    one.expectQuietConsole()
    other.expectQuietConsole()
  })

  test('an own action does not fetch the page again', async () => {
    const acting = await open(served.app, '/board')
    const other = await open(served.app, '/board')
    await acting.page.getByLabel('Note').fill('own')
    await acting.page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => notes(acting.page)).toContain('own')
    await expect.poll(() => notes(other.page)).toContain('own')
    await acting.page.waitForTimeout(1_500)
    expect(acting.requests.data).toBe(0)
    expect(other.requests.data).toBe(1)
  })

  test('ten changes within a second cause two or three requests, and all of them appear', async () => {
    const { page, requests } = await open(served.app, '/board')
    const startedAtMs = Date.now()
    for (let at = 0; at < 10; at++) {
      await add(served.app, `burst ${at}`)
      await page.waitForTimeout(80)
    }
    await expect.poll(() => notes(page)).toContain('burst 9')
    // Allow more requests on a busy machine, where ten changes take longer than a second.
    const elapsedMs = Date.now() - startedAtMs
    await page.waitForTimeout(1_500)
    expect(requests.data).toBeGreaterThan(0)
    expect(requests.data).toBeLessThanOrEqual(2 + Math.floor(elapsedMs / 950))
  })

  test('a hidden tab is refreshed when it becomes visible', async () => {
    const { page, requests } = await open(served.app, '/board')
    const turn = (state: string) =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, 'visibilityState', {
          value: visibility,
          configurable: true,
        })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await turn('hidden')
    await add(served.app, 'while hidden')
    await page.waitForTimeout(1_000)
    expect(requests.data).toBe(0)
    await turn('visible')
    await expect.poll(() => notes(page)).toContain('while hidden')
    expect(requests.data).toBe(1)
  })

  test('changes while offline appear after a reconnect', async () => {
    const { page } = await open(served.app, '/board')
    await page.context().setOffline(true)
    await expect.poll(() => page.getByRole('status').textContent()).toBe('behind')
    await add(served.app, 'while offline')
    await page.context().setOffline(false)
    await expect.poll(() => notes(page)).toContain('while offline')
    await expect.poll(() => page.getByRole('status').textContent()).toBe('current')
  })

  test('tabs of a browser share a connection, and another tab takes it over', async () => {
    const { page: first, requests } = await open(served.app, '/board')
    const second = await first.context().newPage()
    const secondRequests = watch(second)
    await second.goto('/board')
    await hydrated(second)
    await second.waitForTimeout(500)
    expect(secondRequests.waits).toBe(0)
    await add(served.app, 'for both')
    for (const page of [first, second]) await expect.poll(() => notes(page)).toContain('for both')
    expect(requests.waits).toBe(1)
    const waiting = isWaiting(second)
    await first.close()
    await waiting
    await add(served.app, 'for the second')
    await expect.poll(() => notes(second)).toContain('for the second')
  })

  test('a navigation closes the connection, and the next live page opens its own', async () => {
    const { page, requests } = await open(served.app, '/board')
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.waitForTimeout(300)
    const before = requests.data
    await add(served.app, 'for nobody')
    await page.waitForTimeout(800)
    expect(requests.data).toBe(before)
    const waiting = isWaiting(page)
    await page.getByRole('link', { name: 'Own' }).click()
    const heading = page.getByRole('heading')
    await expect.poll(() => heading.textContent()).toMatch(/^nobody/)
    const count = await heading.textContent()
    await waiting
    await add(served.app, 'for the next page')
    await expect.poll(() => heading.textContent()).not.toBe(count)
  })

  test('a shared page is rendered once, and never shown in an old state', async () => {
    const { page } = await open(served.app, '/shared')
    const heading = page.getByRole('heading')
    const before = Number((await heading.textContent())?.split(' ')[0])
    await add(served.app, 'for the shared page')
    await expect.poll(() => heading.textContent()).toBe(`${before + 1} notes`)
  })

  test('a prerendered page with a tag is rendered again when the tag is invalidated', async () => {
    const { page } = await open(served.app, '/named')
    const heading = page.getByRole('heading')
    const before = Number((await heading.textContent())?.split(' ')[0])
    await add(served.app, 'for the named page')
    await expect
      .poll(async () => Number((await heading.textContent())?.split(' ')[0]))
      .toBeGreaterThan(before)
  })

  test('a page that fails keeps its old state, says so, and is fetched once it works', async () => {
    const { page } = await open(served.app, '/board')
    const state = page.getByRole('status')
    const setBroken = (answer: string) =>
      fetch(served.url('/api/broken'), { method: 'POST', body: answer })
    await setBroken('yes')
    onTestFinished(() => setBroken('no').then(() => {}))
    await end(served.app, 'notes')
    await expect.poll(() => state.textContent()).toBe('behind')
    expect(await page.getByRole('heading').textContent()).toBe('Board')
    await add(served.app, 'while it failed')
    await setBroken('no')
    await expect.poll(() => notes(page)).toContain('while it failed')
    await expect.poll(() => state.textContent()).toBe('current')
  })

  test('a session that changes with each response causes no endless loop', async () => {
    const { page, requests } = await open(served.app, '/rotating')
    await page.waitForTimeout(12_000)
    expect(requests.data).toBeGreaterThan(0)
    expect(requests.data).toBeLessThan(6)
    expect(requests.waits).toBeLessThan(8)
  })

  test('a program outside of the app reports a change with a secret', async () => {
    const { page, requests } = await open(served.app, '/board')
    const tell = (token: string, body: string) =>
      fetch(served.url(livePath), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body,
      })
    expect((await tell('guessed', '{"tags":["notes"]}')).status).toBe(401)
    expect((await tell(secret, '{"tags":"notes"}')).status).toBe(400)
    await page.waitForTimeout(500)
    expect(requests.data).toBe(0)
    expect((await tell(secret, '{"tags":["notes"]}')).status).toBe(204)
    await expect.poll(() => requests.data).toBe(1)
  })

  test('after a sign-out, a page waits for nothing of the old session', async () => {
    const { page } = await openPage(served.app)
    const cookie = { name: 'name', value: 'ada', url: served.app.origin }
    await page.context().addCookies([cookie])
    const waiting = isWaiting(page)
    await page.goto('/own')
    const subscription = (await waiting).request().postData() ?? ''
    expect(await page.getByRole('heading').textContent()).toMatch(/^ada/)
    // Send the page's subscription from a different client.
    const { pages } = JSON.parse(subscription) as { pages: string[] }
    const stolen = await fetch(served.url(livePath), {
      method: 'POST',
      headers: { origin: served.app.origin, cookie: 'name=eve' },
      body: JSON.stringify({ pages, wait: false }),
    })
    expect(await stolen.json()).toMatchObject({ changed: [], gone: [0] })
  })
})
