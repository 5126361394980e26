import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chunkWith } from './harness/chunkWith.ts'
import { describeApp } from './harness/describeModes.ts'
import { notice, ofCall } from './harness/faults/actionsBehindProxy.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { shortTimeouts } from './harness/shortTimeouts.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const busy = (page: Page) => page.locator('[data-pending][aria-busy=true]')
const saveFromWindow = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { late(): Promise<unknown> }).late().then(
      (value) => ({ value }),
      ({ code }) => ({ code }),
    ),
  )

describeApp('calls', { app: 'calls', files: shortTimeouts }, (served) => {
  const proxy = proxyBefore(served, ['/', '/there'])

  async function visit(path = '/') {
    const { page } = await openPage(proxy.now)
    await page.goto(path)
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    const isSame = () => page.evaluate(() => 'isSame' in window)
    return { page, isSame }
  }
  async function runs(what: string): Promise<number> {
    const html = await served.fetch('/').then((response) => response.text())
    const list = /<p id="runs">([^<]*)</.exec(html)?.[1] ?? ''
    return list.split(', ').filter((run) => run === what).length
  }
  const there = async (page: Page) => {
    await page.getByRole('link', { name: 'There' }).click()
    await page.getByRole('heading', { name: 'There' }).waitFor()
  }

  test('a clicked button is pending at once, even in a transition', async () => {
    const { page } = await visit()
    for (const name of ['Transition', 'Add']) {
      if (name === 'Add') await page.getByLabel('Wait').fill('600')
      const isBusy = await button(page, name).evaluate((element) => {
        ;(element.firstElementChild instanceof HTMLElement
          ? element.firstElementChild
          : (element as HTMLElement)
        ).click()
        return element.matches('[data-pending][aria-busy=true]')
      })
      expect([name, isBusy]).toEqual([name, true])
      expect(await busy(page).count()).toBe(1)
      await expect.poll(() => busy(page).count()).toBe(0)
    }
  })

  test('without a response, a quiet notice appears; the call continues, and its form gets the result', async () => {
    const { page } = await visit()
    proxy.now.inject({ kind: 'delay', ms: 4000 }, { match: ofCall })
    await page.getByLabel('Text').fill('silent')
    await button(page, 'Add').click()
    await notice(page).getByText('No reply yet').waitFor({ timeout: 3000 })
    await button(page, 'Keep waiting').click()
    await notice(page).waitFor({ state: 'detached' })
    expect(await busy(page).count()).toBe(1)
    await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
    expect([await busy(page).count(), await notice(page).count()]).toEqual([0, 0])
    expect(await runs('silent')).toBe(1)
  })

  test('without a response, Retry asks for the same response', async () => {
    const { page } = await visit()
    const rule = proxy.now.inject({ kind: 'hang' }, { match: ofCall })
    await page.getByLabel('Text').fill('again')
    await button(page, 'Add').click()
    await notice(page).waitFor()
    rule.remove()
    await button(page, 'Retry').click()
    await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
    expect(await runs('again')).toBe(1)
  })

  // Test this in production only, because the code's URL is different in development.
  test.runIf(served.mode === 'production')('a call without its code waits for Retry', async () => {
    const chunk = chunkWith(served.app.root, "It's safe to retry")
    const rule = proxy.now.inject(
      { kind: 'replace', status: 404, body: 'not found' },
      { match: ({ target }) => target.includes(chunk) },
    )
    const { page } = await visit()
    await page.getByLabel('Text').fill('without code')
    await button(page, 'Add').click()
    await notice(page).getByText("This couldn't be sent because").waitFor()
    expect(await page.getByLabel('Text').inputValue()).toBe('without code')
    rule.remove()
    await button(page, 'Retry').click()
    await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
    expect([await runs('without code'), await notice(page).count()]).toEqual([1, 0])
  })

  test('an awaited call rejects after a failure; its retry has the same key', async () => {
    const { page } = await visit()
    const before = proxy.now.requests.length
    const rule = proxy.now.inject(
      { kind: 'cut', afterBytes: 0, ending: 'reset' },
      { match: ofCall },
    )
    await button(page, 'Await').click()
    await expect.poll(() => page.textContent('#shown')).toBe('toast: unanswered')
    expect(await notice(page).count()).toBe(0)
    rule.remove()
    await button(page, 'Again').click()
    await expect.poll(() => page.textContent('#shown')).toBe('saved awaited')
    const calls = proxy.now.requests.slice(before).filter(ofCall)
    expect(calls.length).toBeGreaterThan(2)
    expect(new Set(calls.map(({ headers }) => headers['waymark-idempotency-key'])).size).toBe(1)
    expect(await runs('awaited')).toBe(1)
  })

  test('a call in a transition without a catch shows a notice instead of the error screen', async () => {
    const { page, isSame } = await visit()
    proxy.now.inject({ kind: 'reset' }, { match: ofCall })
    await button(page, 'Transition').click()
    await notice(page).getByText("couldn't be sent").waitFor({ timeout: 8000 })
    expect([await page.getByText('Caught').count(), await isSame()]).toEqual([0, true])
    expect(await page.textContent('#shown')).toBe('nothing')
  })

  test('after a navigation, a call is sent from its own page, and its result arrives', async () => {
    const { page, isSame } = await visit()
    await there(page)
    expect(await saveFromWindow(page)).toEqual({ value: 'saved late' })
    expect(await isSame()).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/there')
  })

  test('… and the guards of that page still decide', async () => {
    const { page, isSame } = await visit()
    const cookie = { name: 'member', value: '1', url: proxy.now.origin }
    await page.context().addCookies([cookie])
    await page.getByRole('link', { name: 'Guarded' }).click()
    await page.getByRole('heading', { name: 'Guarded' }).waitFor()
    await there(page)
    expect(await saveFromWindow(page)).toEqual({ value: 'let in' })
    await page.context().clearCookies()
    expect(await saveFromWindow(page)).not.toEqual({ value: 'let in' })
    expect(await isSame()).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/there')
  })

  test('the state of a form does not survive a redirect to the same URL', async () => {
    const { page, isSame } = await visit()
    await button(page, 'Rename').click()
    await page.getByText('A name is missing').waitFor()
    await page.getByLabel('Name').fill('Ada')
    await button(page, 'Rename').click()
    await expect.poll(() => page.textContent('#runs')).toContain('renamed Ada')
    await expect.poll(() => page.locator('#problem:visible').count()).toBe(0)
    await expect.poll(() => page.locator('form:visible output').textContent()).toBe('')
    expect(await page.locator('[aria-label=Name]:visible').inputValue()).toBe('')
    expect(await isSame()).toBe(true)
  })
})
