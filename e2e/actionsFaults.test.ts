import { crc32 } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { actionsBehindProxy, notice, ofCall } from './harness/faults/actionsBehindProxy.ts'
import type { Fault } from './harness/faults/fault.ts'
import { holdRequests } from './harness/holdRequests.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const served = actionsBehindProxy()
const { runs } = served

/** Number of requests that had reached the proxy before the current test. */
let seen = 0
beforeEach(() => {
  seen = served.proxy.requests.length
})
const submissions = () => {
  const calls = served.proxy.requests.slice(seen).filter(ofCall)
  return new Set(calls.map(({ headers }) => headers['waymark-idempotency-key'])).size
}
const visit = async (path: string) => {
  const opened = await openPage(served.proxy)
  await opened.page.goto(path)
  await hydrated(opened.page)
  return opened
}
const html = (text: string, status = 200): Fault => ({
  kind: 'replace',
  status,
  headers: { 'content-type': 'text/html' },
  body: text,
})
const hex = (value: number) => value.toString(16).padStart(8, '0')
const refusal = (code: string, status: number): Fault => {
  const row = `0:{"kind":"refused","code":"${code}"}\n`
  const checked = `${hex(row.length)}\n${row}#`
  return {
    kind: 'replace',
    status,
    headers: { 'content-type': 'text/x-component' },
    body: `${checked}${hex(crc32(checked))}\n`,
  }
}

const faults: Readonly<Record<string, Fault>> = {
  reset: { kind: 'reset' },
  'a gateway’s 500': html('<h1>500</h1>', 500),
  'a gateway’s 502': html('<h1>502</h1>', 502),
  'a gateway’s 404': html('<h1>404</h1>', 404),
  'a portal’s page': html('<h1>Sign in to the network</h1>'),
  'cut before it begins': { kind: 'cut', afterBytes: 0, ending: 'clean' },
  'cut within': { kind: 'cut', afterBytes: 30, ending: 'clean' },
  'cut by a reset': { kind: 'cut', afterBytes: 30, ending: 'reset' },
  'one row flipped': { kind: 'corrupt', at: { row: 1 } },
}

describe('a response that does not arrive', () => {
  test.each(Object.entries(faults))(
    '%s: the form stays, and a retry runs it once',
    async (name, fault) => {
      const { page } = await visit('/list')
      const rule = served.proxy.inject(fault, { match: ofCall })
      await page.getByLabel('Text').fill(name)
      await page.getByRole('button', { name: 'Add' }).click()
      await notice(page).waitFor()
      // The framework repeats a submission once. The number can be higher, because Chromium also
      // repeats requests after a reset.
      expect(rule.hits).toBeGreaterThan(1)
      expect(await page.getByLabel('Text').inputValue()).toBe(name)
      rule.remove()
      await page.getByRole('button', { name: 'Retry' }).click()
      await expect.poll(() => page.textContent('#items')).toContain(name)
      expect(await notice(page).count()).toBe(0)
      await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
      expect(submissions()).toBe(1)
      expect(await runs(`add ${name}`)).toBe(1)
    },
  )

  test('a request that fails once is retried without a notice', async () => {
    const { page } = await visit('/list')
    served.proxy.inject(
      { kind: 'cut', afterBytes: 30, ending: 'clean' },
      { match: ofCall, times: 1 },
    )
    await page.getByLabel('Text').fill('blip')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.textContent('#items')).toContain('blip')
    expect(await notice(page).count()).toBe(0)
    expect(submissions()).toBe(1)
    expect(await runs('add blip')).toBe(1)
  })

  test('after the notice was dismissed, the form keeps its text, and sending it again uses the same key', async () => {
    const { page } = await visit('/list')
    const rule = served.proxy.inject(
      { kind: 'cut', afterBytes: 0, ending: 'clean' },
      { match: ofCall },
    )
    await page.getByLabel('Text').fill('dismissed')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    expect(await notice(page).count()).toBe(0)
    expect(await page.getByLabel('Text').inputValue()).toBe('dismissed')
    rule.remove()
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.textContent('#items')).toContain('dismissed')
    expect(submissions()).toBe(1)
    expect(await runs('add dismissed')).toBe(1)
  })

  test('a form with state keeps it, and gets the result of the retry', async () => {
    const { page } = await visit('/other')
    const rule = served.proxy.inject({ kind: 'reset' }, { match: ofCall })
    await page.getByLabel('Name').fill('Ada')
    await page.locator('#greet').click()
    await notice(page).waitFor()
    await expect.poll(() => page.textContent('#greeting')).toBe('Nobody')
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada')
    rule.remove()
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => page.textContent('#greeting')).toBe('Hello Ada')
  })

  test('an awaited call rejects, without a notice', async () => {
    const { page } = await visit('/code')
    served.proxy.inject({ kind: 'reset' }, { match: ofCall })
    await page.getByRole('button', { name: 'Passed' }).click()
    await expect.poll(() => page.textContent('#shown')).toBe('ActionError unanswered')
    expect(await notice(page).count()).toBe(0)
  })

  test('a submission while offline is sent when the network is back', async () => {
    const { page } = await visit('/list')
    await page.getByLabel('Text').fill('offline')
    // Focusing a field of a form loads the code for actions.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('actionsChunk')),
    )
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => notice(page).textContent()).toContain("You're offline")
    expect(await page.getByLabel('Text').inputValue()).toBe('offline')
    await page.context().setOffline(false)
    await expect.poll(() => page.textContent('#items')).toContain('offline')
    expect(await runs('add offline')).toBe(1)
  })

  test('a late response counts, and delays nothing even after half a minute', async () => {
    const { page } = await openPage(served.proxy)
    await page.clock.install()
    await page.goto('/list')
    await page.clock.runFor(2000)
    await hydrated(page)
    const calls = await holdRequests(page, `${served.proxy.origin}/list`)
    await page.getByLabel('Text').fill('silent')
    await page.getByRole('button', { name: 'Add' }).click()
    await calls.held
    await page.clock.fastForward(5000)
    await expect.poll(() => notice(page).textContent()).toContain('No reply yet')
    await page.getByRole('button', { name: 'Keep waiting' }).click()
    expect(await notice(page).count()).toBe(0)
    await page.clock.fastForward(26_000)
    await expect.poll(() => notice(page).textContent()).toContain('No reply yet')
    // Navigations still work while the submission waits.
    await page.getByRole('link', { name: 'other' }).click()
    await page.getByRole('heading', { name: 'Other' }).waitFor()
    await calls.end('continue')
    await expect.poll(() => notice(page).count()).toBe(0)
    expect(await runs('add silent')).toBe(1)
  })

  test('a hanging call delays no navigation', async () => {
    const { page } = await visit('/list')
    served.proxy.inject({ kind: 'hang' }, { match: ofCall })
    await page.getByLabel('Text').fill('hangs')
    await page.getByRole('button', { name: 'Add' }).click()
    for (const [link, heading] of [
      ['other', 'Other'],
      ['code', 'Code'],
      ['list', 'List'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click()
      await page.getByRole('heading', { name: heading }).waitFor({ timeout: 3000 })
    }
  })

  test('a hanging response delays no other response', async () => {
    const { page } = await visit('/list')
    served.proxy.inject({ kind: 'hang' }, { match: ofCall, times: 1 })
    await page.getByLabel('Name').fill('Nobody hears')
    await page.locator('#greet').click()
    await page.getByLabel('Text').fill('meanwhile')
    await page.getByRole('button', { name: 'Add' }).click()
    // React shows the new item only after the hanging action, but the router shows it after 3.8 s.
    await expect.poll(() => page.textContent('#items'), { timeout: 6000 }).toContain('meanwhile')
  })
})

describe('a call that is refused', () => {
  test('a submission that is too large leaves the form, and a notice says so', async () => {
    const { page } = await visit('/list')
    served.proxy.inject(refusal('too-large', 413), { match: ofCall, times: 1 })
    await page.getByLabel('Text').fill('large')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => notice(page).textContent()).toContain('too large')
    expect(await page.getByLabel('Text').inputValue()).toBe('large')
    await page.getByRole('button', { name: 'OK' }).click()
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.textContent('#items')).toContain('large')
  })

  test('a call of code rejects with an ActionError', async () => {
    const { page } = await visit('/code')
    served.proxy.inject(refusal('timeout', 504), { match: ofCall })
    await page.getByRole('button', { name: 'Passed' }).click()
    await expect.poll(() => page.textContent('#shown')).toBe('ActionError timeout')
  })

  test('a stale page reloads once, and restores typed text except passwords', async () => {
    const { page } = await visit('/editor')
    const rule = served.proxy.inject(refusal('stale', 409), { match: ofCall })
    await page.evaluate(() => Object.assign(window, { old: true }))
    await page.getByLabel('Title').fill('My title')
    await page.getByLabel('Body').fill('My body')
    await page.getByLabel('Colour').selectOption('blue')
    await page.getByLabel('Public').check()
    await page.getByLabel('Password').fill('hunter2')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.waitForFunction(() => !('old' in window))
    await expect
      .poll(() => notice(page).textContent())
      .toContain('Everything you entered is still here')
    await expect.poll(() => page.textContent('#title')).toBe('My title')
    expect(await page.getByLabel('Title').inputValue()).toBe('My title')
    expect(await page.getByLabel('Body').inputValue()).toBe('My body')
    expect(await page.getByLabel('Colour').inputValue()).toBe('blue')
    expect(await page.getByLabel('Public').isChecked()).toBe(true)
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    const storage = await page.evaluate(() => JSON.stringify(sessionStorage))
    expect(storage).not.toContain('hunter2')
    expect(storage).not.toContain('My body')
    // Even if the call is refused again, the page must not reload in a loop.
    await page.evaluate(() => Object.assign(window, { second: true }))
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect
      .poll(() => notice(page).allTextContents())
      .toContainEqual(expect.stringContaining('this form no longer exists'))
    expect(await page.evaluate(() => 'second' in window)).toBe(true)
    rule.remove()
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(() => page.getByLabel('Body').inputValue()).toBe('')
    expect(await runs('add My body')).toBe(1)
  })

  test('a stale page keeps its typed text if the server is gone', async () => {
    const { page } = await visit('/list')
    served.proxy.inject(html('<h1>502</h1>', 502), { match: ({ method }) => method === 'GET' })
    served.proxy.inject(refusal('unknown', 409), { match: ofCall })
    await page.getByLabel('Text').fill('precious')
    await page.getByRole('button', { name: 'Add' }).click()
    await notice(page).waitFor()
    expect(await page.getByLabel('Text').inputValue()).toBe('precious')
  })
})
