import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import type { ProxiedRequest } from './harness/faults/fault.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { openPage } from './harness/page.ts'

let app: App
let proxy: FaultProxy
beforeAll(async () => {
  app = await startApp({ app: 'actionsBrowser', mode: 'production' })
  proxy = await startFaultProxy(app.origin)
})
afterEach(() => proxy.clear())
afterAll(async () => {
  await proxy.stop()
  await app.stop()
})

const runs = async (what: string) => {
  const all = (await (await fetch(`${app.origin}/runs`)).json()) as string[]
  return all.filter((run) => run === what).length
}

describe('a form without JavaScript that is cut on its way', () => {
  const ofForm = ({ method }: ProxiedRequest) => method === 'POST'
  const submit = async (text: string) => {
    const { page } = await openPage(proxy, { javaScriptEnabled: false })
    await page.goto('/list')
    await page.getByLabel('Text').fill(text)
    const over = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: 'Add' }).click({ noWaitAfter: true })
    return { page, over }
  }

  // Before the body, in a boundary, in a name, in the key, in the last field, before the last byte.
  test.each([0, 20, 90, 200, -80, -1])(
    'cut at %i: it does not run, and can be sent again',
    async (atByte) => {
      const text = `cut at ${atByte}`
      const rule = proxy.inject({ kind: 'cut-request', atByte }, { match: ofForm })
      const { page, over } = await submit(text)
      await over
      expect(rule.hits).toBeGreaterThan(0)
      rule.remove()
      expect(await runs(`add ${text}`)).toBe(0)
      // The browser is still about to show its own page.
      await expect.poll(() => page.goto('/list')).toBeTruthy()
      await page.getByLabel('Text').fill(text)
      await page.getByRole('button', { name: 'Add' }).click()
      await expect.poll(() => page.textContent('#items')).toContain(text)
      expect(await runs(`add ${text}`)).toBe(1)
    },
  )

  test.each([0, 400])(
    'its answer after %i bytes: asked for again by a reload, it ran once',
    async (afterBytes) => {
      const text = `answer cut after ${afterBytes}`
      const rule = proxy.inject({ kind: 'cut', afterBytes, ending: 'reset' }, { match: ofForm })
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
