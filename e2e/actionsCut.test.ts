import { describe, expect, test } from 'vitest'
import { actionsBehindProxy, notice, ofCall } from './harness/faults/actionsBehindProxy.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const served = actionsBehindProxy()
const { runs } = served

describe('a streaming response that is cut after its result is shown', () => {
  const cut: Fault = { kind: 'cut', afterBytes: 130, ending: 'clean' }
  const streamedText = ['one', 'two', 'three', 'four'].map((word) => `${word.repeat(10)} `).join('')
  const tell = async (fault: Fault, times?: number) => {
    const before = await runs('tell')
    const { page } = await openPage(served.proxy)
    await page.goto('/code')
    await hydrated(page)
    const rule = served.proxy.inject(fault, { match: ofCall, ...(times ? { times } : {}) })
    await page.getByRole('button', { name: 'Tell' }).click()
    const ranOnce = async () => expect(await runs('tell')).toBe(before + 1)
    return { page, rule, pageText: () => page.textContent('#shown'), ranOnce }
  }

  test('cut once, it continues without a notice', async () => {
    const { page, pageText, ranOnce } = await tell(cut, 1)
    await expect.poll(pageText).toBe(`${streamedText}end`)
    expect(await notice(page).count()).toBe(0)
    await ranOnce()
  })

  test('cut repeatedly, it shows a notice, and a retry resumes the stream', async () => {
    const { page, rule, pageText, ranOnce } = await tell(cut)
    await notice(page).waitFor()
    expect(streamedText.startsWith((await pageText()) ?? '-')).toBe(true)
    rule.remove()
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(pageText).toBe(`${streamedText}end`)
    await ranOnce()
  })

  test('if the notice is dismissed, the call rejects with the code cut', async () => {
    const { page, pageText } = await tell(cut)
    await notice(page).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(pageText).toBe('ActionError cut')
  })

  test('with changed bytes once, it shows none of them, and continues without a notice', async () => {
    const { page, pageText, ranOnce } = await tell({ kind: 'corrupt', at: { byte: 140 } }, 1)
    await expect.poll(pageText).toBe(`${streamedText}end`)
    expect(await notice(page).count()).toBe(0)
    await ranOnce()
  })

  test('with changed bytes each time, it shows a notice that says so', async () => {
    const { page, ranOnce } = await tell({ kind: 'corrupt', at: { byte: 140 } })
    await notice(page).waitFor()
    await ranOnce()
  })
})

describe('a form without JavaScript whose connection is cut', () => {
  const ofForm = ({ method }: ProxiedRequest) => method === 'POST'
  const submit = async (text: string) => {
    const { page } = await openPage(served.proxy, { javaScriptEnabled: false })
    await page.goto('/list')
    await page.getByLabel('Text').fill(text)
    const over = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: 'Add' }).click({ noWaitAfter: true })
    return { page, over }
  }

  // Cut the request before the body, in a boundary, in a name, in the key, in the last field and
  // before the last byte.
  test.each([0, 20, 90, 200, -80, -1])(
    'cut at %i, it does not run, and can be sent again',
    async (atByte) => {
      const text = `cut at ${atByte}`
      const rule = served.proxy.inject({ kind: 'cut-request', atByte }, { match: ofForm })
      const { page, over } = await submit(text)
      await over
      expect(rule.hits).toBeGreaterThan(0)
      rule.remove()
      expect(await runs(`add ${text}`)).toBe(0)
      // `goto` may fail at first, because the browser may still be about to show its own error
      // page.
      await expect.poll(() => page.goto('/list')).toBeTruthy()
      await page.getByLabel('Text').fill(text)
      await page.getByRole('button', { name: 'Add' }).click()
      await expect.poll(() => page.textContent('#items')).toContain(text)
      expect(await runs(`add ${text}`)).toBe(1)
    },
  )

  test.each([0, 400])(
    'with a response cut after %i bytes, a reload does not run it again',
    async (afterBytes) => {
      const text = `answer cut after ${afterBytes}`
      const rule = served.proxy.inject(
        { kind: 'cut', afterBytes, ending: 'reset' },
        { match: ofForm },
      )
      const { page } = await submit(text)
      await expect.poll(() => runs(`add ${text}`)).toBe(1)
      await expect.poll(() => rule.hits).toBeGreaterThan(0)
      rule.remove()
      const reloaded = () => page.reload().then(() => page.textContent('#items'))
      await expect.poll(reloaded).toContain(text)
      expect(await runs(`add ${text}`)).toBe(1)
    },
  )
})
