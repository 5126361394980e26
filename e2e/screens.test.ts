import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { digestPattern } from './harness/digests.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const statuses = { 'not-found': 404, forbidden: 403, unauthorized: 401 } as const

describeApp('files for screens', { app: 'errors' }, (served) => {
  test('nest, and replace the built-in ones for their segment', async () => {
    for (const kind of ['not-found', 'forbidden', 'unauthorized']) {
      const response = await served.fetch(`/nest/${kind}`)
      const html = await response.text()
      expect(html).toContain(`Nest: ${kind.replace('-', ' ')}`)
      expect(html).toContain('<section id="nest">')
      expect(response.status).toBe(statuses[kind as keyof typeof statuses])
    }
    expect(await (await served.fetch('/nest/inner/not-found')).text()).toContain('Inner: not found')
    expect(await (await served.fetch('/nest/inner/forbidden')).text()).toContain('Nest: forbidden')
    const html = await (await served.fetch('/nest/not-found')).text()
    expect(html).toContain('<title>Nothing in the nest | Errors</title>')
    expect(html).toContain('noindex')
  })

  test('their metadata applies on a navigation', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    await page.evaluate(() => {
      const link = document.querySelector('a')
      if (link) link.href = '/nest/not-found'
      link?.click()
    })
    await page.getByText('Nest: not found').waitFor()
    await expect.poll(() => page.title()).toBe('Nothing in the nest | Errors')
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex')
  })

  test('an error file has a digest, recovers by retry, and is cleared by a navigation', async () => {
    const { page } = await openPage(served.app)
    const response = await page.goto('/nest/flaky')
    expect(response?.status()).toBe(500)
    await hydrated(page)
    expect(await page.locator('#digest').textContent()).toBe(
      response?.headers()['x-waymark-digest'],
    )
    // Repeat the click, because it may be lost: the dev server reloads a page whose packages it has
    // just bundled.
    const clickUntil = (control: Locator, heading: string) =>
      expect
        .poll(async () => {
          if (await control.isVisible()) await control.dispatchEvent('click')
          return page.getByRole('heading', { name: heading }).isVisible()
        })
        .toBe(true)
    await clickUntil(page.getByRole('button', { name: 'Retry' }), 'It recovered')
    await page.goto('/nest/throw')
    await hydrated(page)
    await clickUntil(page.getByRole('link', { name: 'Leave' }), 'Home')
  })

  test('an error in an error screen is passed to the next one', async () => {
    const response = await served.fetch('/twice/inner')
    expect(response.status).toBe(500)
    const html = await response.text()
    expect(html).toContain('Outer error screen')
    const { page } = await openPage(served.app)
    await page.goto('/twice/inner')
    // Wait until React has rendered its own screen and removed the server's.
    await expect.poll(() => page.getByText('Outer error screen').count()).toBe(1)
    await page.getByText('Outer error screen').waitFor()
  })
})

describeApp(
  'a broken root',
  {
    app: 'errors',
    files: {
      'app/layout.tsx': `export default async function Layout({ children }) {
  throw new Error('the root layout is broken')
}
export const dynamic = 'force-dynamic'
`,
    },
  },
  (served) => {
    test('shows a complete document', async () => {
      for (const path of ['/', '/landing', '/nowhere']) {
        const response = await served.fetch(path)
        expect(response.status).toBe(500)
        const html = await response.text()
        expect(html).toContain(`Digest: ${response.headers.get('x-waymark-digest')}`)
        expect(html).toContain('<html')
        expect(html).toContain('noindex')
      }
    })
  },
)

describeApp(
  'the app’s own root screen',
  {
    app: 'errors',
    files: {
      'app/global-error.tsx': `'use client'
export default function GlobalError({ error, retry }) {
  return (
    <html lang="en"><body><h1>Global error</h1><p id="digest">{error.digest}</p>
    <button type="button" onClick={retry}>Retry</button></body></html>
  )
}
`,
      'app/broken/layout.tsx': `export default function Layout({ children }) { return children }`,
    },
  },
  (served) => {
    test('handles errors that no boundary catches, on the server and in the browser', async () => {
      const response = await served.fetch('/page/throw')
      const html = await response.text()
      expect(response.status).toBe(500)
      expect(html).toContain('Global error')
      expect(html).toContain(response.headers.get('x-waymark-digest'))
      const { page } = await openPage(served.app)
      await page.goto('/browser')
      await hydrated(page)
      await page.getByRole('button', { name: 'Render' }).click()
      await page.getByText('Global error').waitFor()
      expect(await page.locator('#digest').textContent()).toMatch(digestPattern)
      await page.getByRole('button', { name: 'Retry' }).dispatchEvent('click')
      await page.getByRole('heading', { name: 'Browser' }).waitFor()
    })
  },
)

describeModes(
  'unmatched URLs',
  {
    app: 'errors',
    modes: ['production'],
    files: {
      'app/global-not-found.tsx': `export const metadata = { title: 'Nowhere' }
export default function GlobalNotFound() {
  return <html lang="en"><body><h1>Nowhere at all</h1></body></html>
}
`,
      'vite.config.ts': `import { waymark } from 'waymark/vite'
export default { plugins: [waymark({ statusDeadlineMs: 1000 })] }
`,
      'app/slowly/page.tsx': `import { notFound } from 'waymark'
import { connection } from 'waymark/server'
export default async function Page() {
  await connection()
  await new Promise((resolve) => setTimeout(resolve, 300))
  notFound()
}
`,
    },
  },
  (served) => {
    test('may have their own document', async () => {
      const response = await served.fetch('/nowhere/at/all')
      expect(response.status).toBe(404)
      const html = await response.text()
      expect(html).toContain('<h1>Nowhere at all</h1>')
      expect(html).toContain('<title>Nowhere</title>')
      expect(html).toContain('noindex')
      expect(html).not.toContain('Errors app')
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto('/nowhere')
      await hydrated(page)
      expectQuietConsole([/404/])
    })

    test('the deadline is an option', async () => {
      expect((await served.fetch('/slowly')).status).toBe(404)
      expect((await served.fetch('/late/not-found')).status).toBe(200)
    })
  },
)

describeModes(
  'when nothing works',
  {
    app: 'errors',
    modes: ['production'],
    files: {
      // Block the journal's folder with a file of the same name.
      '.waymark/journal': 'a file',
      'app/global-error.tsx': `'use client'
export default function GlobalError() {
  throw new Error('the last screen is broken, too')
}
`,
    },
  },
  (served) => {
    test('a screen is sent that needs no renderer, and the log has its digest', async () => {
      for (let count = 0; count < 3; count++) {
        const response = await served.fetch('/page/throw')
        const digest = response.headers.get('x-waymark-digest') ?? 'none'
        expect(response.status).toBe(500)
        const html = await response.text()
        expect(html).toContain(`Digest: ${digest}`)
        expect(html).toContain('<main class="waymark-screen" lang="en"')
        await expect.poll(served.app.logs).toContain(digest)
      }
      const json = await served.fetch('/page/throw', { headers: { accept: 'application/json' } })
      expect(await json.json()).toMatchObject({ status: 500 })
      // The error must be logged only once, no matter how many entries wait.
      await expect.poll(() => served.app.logs()).toMatch(/journal/)
      expect(served.app.logs().match(/journal.*(?:can not|can't|could not|cannot)/g)).toHaveLength(
        1,
      )
    })

    test('the browser still shows a screen', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/browser')
      await hydrated(page)
      await page.getByRole('button', { name: 'Render' }).click()
      await page.getByText('Application error: a client-side exception').waitFor()
    })
  },
)
