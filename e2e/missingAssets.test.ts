import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { notice, ofCall } from './harness/faults/actionsBehindProxy.ts'
import type { FaultProxy } from './harness/faults/proxy.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { openPage } from './harness/page.ts'
import { isReact } from './harness/plainVisit.ts'
import { shortTimeouts } from './harness/shortTimeouts.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

// A component that throws when it is clicked, in an app without an error screen.
const throwing = {
  'app/bomb/bomb.tsx': `'use client'

import { useState } from 'react'

export function Bomb() {
  const [isLit, light] = useState(false)
  if (isLit) throw new Error('boom')
  return <button type="button" onClick={() => light(true)}>Light</button>
}
`,
  'app/bomb/page.tsx': `import { Bomb } from './bomb.tsx'

export default function Page() {
  return <Bomb />
}
`,
}

const errorScreen = {
  'app/error.tsx': `'use client'

import type { ErrorScreenProps } from 'waymark/client'

export default function ErrorScreen({ error, reset }: ErrorScreenProps) {
  return <button type="button" onClick={reset}>{'Reset ' + error.message}</button>
}
`,
}

const served = (app: string, files: Readonly<Record<string, string>> = {}) =>
  ({ app, files: { ...shortTimeouts, ...files }, modes: ['production'] }) as const

describeModes(
  'an open page after the assets of its build were deleted',
  served('calls', { ...throwing, ...errorScreen }),
  (served) => {
    const proxy = proxyBefore(served, [])

    const visit = (path = '/') => visitBefore(proxy.now, path)
    async function runs(what: string): Promise<number> {
      const html = await served.fetch('/').then((response) => response.text())
      const list = /<p id="runs">([^<]*)</.exec(html)?.[1] ?? ''
      return list.split(', ').filter((run) => run === what).length
    }

    test('can call an action', async () => {
      const { page, isSame } = await visit()
      await button(page, 'Await').click()
      await page.getByText('saved awaited').waitFor()
      expect(await isSame()).toBe(true)
      expect(await notice(page).count()).toBe(0)
    })

    test('rejects a failed call, and its retry runs', async () => {
      const { page } = await visit()
      const rule = proxy.now.inject({ kind: 'reset' }, { match: ofCall })
      await button(page, 'Await').click()
      await page.getByText('toast: ').waitFor()
      rule.remove()
      await button(page, 'Again').click()
      await page.getByText('saved awaited').waitFor()
    })

    test('shows the notice for a failed form, and its Retry submits the form', async () => {
      const { page, isSame } = await visit()
      const rule = proxy.now.inject({ kind: 'reset' }, { match: ofCall })
      await page.getByLabel('Text').fill('sent without assets')
      await button(page, 'Add').click()
      await notice(page).waitFor()
      expect(await page.getByLabel('Text').inputValue()).toBe('sent without assets')
      rule.remove()
      await button(page, 'Retry').click()
      await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('')
      expect([await runs('sent without assets'), await isSame()]).toEqual([1, true])
    })

    test('shows the notice for a failed navigation, and its Retry arrives', async () => {
      // Fail all requests for the page, so that its prefetch fails, too.
      const isThere = ({ target }: { target: string }) => target.includes('/there')
      const rule = proxy.now.inject({ kind: 'reset' }, { match: isThere })
      const { page, isSame } = await visit()
      await page.getByLabel('Text').fill('not to be lost')
      await page.getByRole('link', { name: 'There' }).click()
      await notice(page).waitFor()
      rule.remove()
      await button(page, 'Retry').click()
      await page.getByRole('heading', { name: 'There' }).waitFor()
      expect(await isSame()).toBe(true)
    })

    test("shows the app's error screen, and its reset shows the page", async () => {
      const { page, isSame } = await visit('/bomb')
      await button(page, 'Light').click()
      await button(page, 'Reset boom').click()
      await button(page, 'Light').waitFor()
      expect(await isSame()).toBe(true)
    })
  },
)

describeModes('the built-in screen', served('missingCode', throwing), (served) => {
  const proxy = proxyBefore(served, [])

  test('is shown after the assets were deleted, with the digest of the error', async () => {
    const { page, isSame } = await visitBefore(proxy.now, '/bomb')
    await button(page, 'Light').click()
    await page.getByRole('heading', { name: /^Application error/ }).waitFor()
    await page.getByText(/Digest: \w{4}-\w{4}-\w{3}/).waitFor()
    expect(await isSame()).toBe(true)
    proxy.now.clear()
    await page.getByRole('link', { name: 'Reload' }).click()
    await button(page, 'Light').waitFor()
  })
})

describeModes('a page without React', { app: 'plain', modes: ['production'] }, (served) => {
  const proxy = proxyBefore(served, [])

  test('is navigated by the first click after the assets were deleted', async () => {
    const { page, isSame } = await visitBefore(proxy.now, '/', isReact)
    await page.getByRole('link', { name: 'Other' }).click()
    await page.getByRole('heading', { name: 'Other' }).waitFor()
    expect(await isSame()).toBe(true)
  })
})

/**
 * Opens a page, waits a moment without touching it, and deletes the files of its build.
 * @param isAwaited matches the URL of code that the page loads when it is idle, no matter how late
 */
async function visitBefore(
  proxy: FaultProxy,
  path: string,
  isAwaited: (url: string) => boolean = () => true,
) {
  const { page } = await openPage(proxy)
  const script = page.waitForEvent('requestfinished', (request) => isAwaited(request.url()))
  await page.goto(path)
  await script
  await page.waitForLoadState('networkidle')
  proxy.inject(
    { kind: 'replace', status: 404, body: 'not found' },
    { match: ({ target }) => target.startsWith('/_waymark/assets/') },
  )
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  const isSame = () => page.evaluate(() => 'isSame' in window)
  return { page, isSame }
}
