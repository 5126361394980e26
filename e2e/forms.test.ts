import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { notice, ofCall } from './harness/faults/actionsBehindProxy.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { shortTimeouts } from './harness/shortTimeouts.ts'

const kinds = ['everybody', 'caught', 'plain', 'state', 'wrapped-state', 'others']
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const items = (page: Page) => page.locator('#items li').allTextContents()
const failed = (page: Page) => page.getByRole('heading', { name: /^Caught/ })
const attached = (page: Page) =>
  page.getByLabel('File').evaluate((field) => (field as HTMLInputElement).files?.[0]?.name ?? '')

describeApp('forms', { app: 'forms', files: shortTimeouts }, (served) => {
  const proxy = proxyBefore(
    served,
    kinds.map((kind) => `/${kind}`),
  )
  const runs = async (text: string) =>
    ((await (await served.fetch('/items')).json()) as string[]).filter((run) => run === text).length

  async function visit(kind: string) {
    const { page } = await openPage(proxy.now)
    await page.goto(`/${kind}`)
    await hydrated(page)
    // Wait for the code of actions, which loads when the page is idle.
    await page.waitForLoadState('networkidle')
    return page
  }

  async function fill(page: Page, text: string): Promise<void> {
    await page.getByLabel('Text').fill(text)
    const buffer = Buffer.from('hello')
    await page.getByLabel('File').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer })
    await button(page, 'Count 0').click()
  }

  // After a failed call, the form must stay as it is, for each kind of function.
  describe.each([
    ['a function of the browser', 'everybody'],
    ['the action itself', 'plain'],
    ['a state', 'state'],
  ])('a form with %s', (_, kind) => {
    const text = (name: string) => `${name} ${kind} ${served.mode}`

    test('is optimistic, and sent once', async () => {
      const page = await visit(kind)
      await page.getByLabel('Text').fill(text('sent'))
      // Check in the page, at each frame, because the optimistic entry is shown for only 0.2 s.
      const optimistic = page.waitForFunction(
        (awaited) =>
          [...document.querySelectorAll('#items li')].some((item) => item.textContent === awaited),
        `${text('sent')} …`,
      )
      await button(page, 'Send').click()
      await optimistic
      await expect.poll(() => items(page)).toContain(text('sent'))
      expect(await items(page)).not.toContain(`${text('sent')} …`)
      await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
      expect(await runs(text('sent'))).toBe(1)
    })

    test('keeps all input while there is no server, and Retry sends it once', async () => {
      const page = await visit(kind)
      await fill(page, text('retried'))
      const rule = proxy.now.inject({ kind: 'reset' }, { match: ofCall })
      await button(page, 'Send').click()
      await expect.poll(() => items(page)).toContain(`${text('retried')} …`)
      await notice(page).getByText("couldn't be sent").waitFor({ timeout: 8000 })
      // The optimistic entry disappears after the failure.
      await expect.poll(() => items(page)).not.toContain(`${text('retried')} …`)
      expect(await page.getByLabel('Text').inputValue()).toBe(text('retried'))
      expect(await attached(page)).toBe('a.txt')
      expect(await button(page, 'Count 1').count()).toBe(1)
      expect(await failed(page).count()).toBe(0)
      rule.remove()
      await button(page, 'Retry').click()
      await expect.poll(() => items(page)).toContain(`${text('retried')} with a.txt`)
      await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
      expect(await notice(page).count()).toBe(0)
      expect(await runs(`${text('retried')} with a.txt`)).toBe(1)
    })

    test('runs once if only the response was lost', async () => {
      const page = await visit(kind)
      const sent = text('answered')
      await page.getByLabel('Text').fill(sent)
      const rule = proxy.now.inject(
        { kind: 'cut', afterBytes: 0, ending: 'reset' },
        { match: ofCall },
      )
      await button(page, 'Send').click()
      await notice(page).waitFor({ timeout: 8000 })
      rule.remove()
      await button(page, 'Retry').click()
      await expect.poll(() => items(page)).toContain(sent)
      await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
      expect(await runs(sent)).toBe(1)
    })

    test('is sent once the browser is online again', async () => {
      const page = await visit(kind)
      await page.getByLabel('Text').fill(text('offline'))
      await page.context().setOffline(true)
      await button(page, 'Send').click()
      await notice(page).getByText("You're offline").waitFor({ timeout: 8000 })
      expect(await page.getByLabel('Text').inputValue()).toBe(text('offline'))
      await page.context().setOffline(false)
      await expect.poll(() => items(page)).toContain(text('offline'))
      await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
      expect(await runs(text('offline'))).toBe(1)
    })
  })

  test.each(['plain', 'state'])('the form of %s works without scripts', async (kind) => {
    const { page } = await openPage(proxy.now, { javaScriptEnabled: false })
    await page.goto(`/${kind}`)
    const text = `without ${kind} ${served.mode}`
    await page.getByLabel('Text').fill(text)
    await button(page, 'Send').click()
    await page.locator('#items li', { hasText: text }).waitFor()
    expect(await runs(text)).toBe(1)
  })

  test('the app’s catch block gets the outcome of a call', async () => {
    const page = await visit('caught')
    const type = page.locator('#type')
    const text = `typed ${served.mode}`
    await page.getByLabel('Text').fill(text)
    const rule = proxy.now.inject({ kind: 'reset' }, { match: ofCall })
    await button(page, 'Send').click()
    await expect.poll(() => type.textContent(), { timeout: 8000 }).toBe('unknown')
    rule.remove()
    await button(page, 'Send').click()
    await expect.poll(() => type.textContent()).toBe('sent')
    expect(await runs(text)).toBe(1)
    const buffer = Buffer.alloc(2_000_000)
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'large.bin', mimeType: 'application/octet-stream', buffer })
    await button(page, 'Send').click()
    await expect.poll(() => type.textContent(), { timeout: 8000 }).toBe('refused')
    await page.getByLabel('File').setInputFiles([])
    await page.getByLabel('Text').fill(`${text} offline`)
    await page.context().setOffline(true)
    await button(page, 'Send').click()
    await expect.poll(() => type.textContent(), { timeout: 8000 }).toBe('not-sent')
    expect(await items(page)).not.toContain(`${text} offline …`)
    expect(await notice(page).count()).toBe(0)
  })

  test.each([
    ['a function in useActionState', 'wrapped-state', 'form'],
    ['a transition', 'others', '#transition'],
  ])('%s without a catch shows no error screen, and keeps the input', async (...row) => {
    const [, kind, selector] = row
    const page = await visit(kind)
    const form = page.locator(selector)
    const text = `uncaught ${kind} ${served.mode}`
    const field = form.getByLabel('Text')
    await field.fill(text)
    const buffer = Buffer.from('hello')
    await form.getByLabel('File').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer })
    const rule = proxy.now.inject({ kind: 'reset' }, { match: ofCall })
    await form.getByRole('button', { name: 'Send' }).click()
    await notice(page).getByText("couldn't be sent").waitFor({ timeout: 8000 })
    expect(await failed(page).count()).toBe(0)
    await expect.poll(() => field.inputValue()).toBe(text)
    await expect.poll(() => attached(page)).toBe('a.txt')
    rule.remove()
    await button(page, 'Retry').click()
    await expect.poll(() => items(page)).toContain(`${text} with a.txt`)
    expect(await runs(`${text} with a.txt`)).toBe(1)
  })

  test.each([
    ['an event handler', '#handler', 'Handled'],
    ['react-hook-form', '#hooked', 'Hooked'],
  ])('%s without a catch shows a message, and keeps the input', async (_, selector, label) => {
    const page = await visit('others')
    const text = `${label} ${served.mode}`
    await page.getByLabel(label).fill(text)
    const rule = proxy.now.inject({ kind: 'reset' }, { match: ofCall })
    await page.locator(selector).getByRole('button', { name: 'Send' }).click()
    await notice(page).getByText("couldn't be sent").waitFor({ timeout: 8000 })
    expect(await page.getByLabel(label).inputValue()).toBe(text)
    rule.remove()
    await button(page, 'Retry').click()
    await expect.poll(() => items(page)).toContain(text)
    expect(await notice(page).count()).toBe(0)
    expect(await runs(text)).toBe(1)
  })

  test('a mutation of a query library gets the typed error, and is sent once', async () => {
    const page = await visit('others')
    const text = `mutated ${served.mode}`
    await page.getByLabel('Mutated').fill(text)
    const state = page.locator('#mutation output')
    const rule = proxy.now.inject({ kind: 'reset' }, { match: ofCall })
    await page.locator('#mutation button').click()
    await expect.poll(() => state.textContent(), { timeout: 8000 }).toBe('unknown')
    expect([await notice(page).count(), await page.getByLabel('Mutated').inputValue()]).toEqual([
      0,
      text,
    ])
    rule.remove()
    await page.locator('#mutation button').click()
    await expect.poll(() => state.textContent()).toBe('success')
    expect(await runs(text)).toBe(1)
  })
})
