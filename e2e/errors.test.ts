import { describe, expect, test } from 'vitest'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const digestPattern = /\b[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{3}\b/

/** What is done, and what comes of it. */
const kinds = {
  'not-found': { status: 404, text: 'This page could not be found.' },
  forbidden: { status: 403, text: 'This page could not be accessed.' },
  unauthorized: { status: 401, text: 'You&#x27;re not authorized to access this page.' },
  throw: { status: 500, text: 'Application error: a server-side exception has occurred' },
} as const

const places = ['page', 'layout', 'metadata', 'loading', 'suspense', 'slot'] as const
const forms = ['document', 'data', 'HEAD', 'bot'] as const
type Form = (typeof forms)[number]

function ask(served: Served, path: string, form: Form): Promise<Response> {
  switch (form) {
    case 'document':
      return served.fetch(path)
    case 'data':
      return served.fetch(`/_waymark/data${path}.rsc`)
    case 'HEAD':
      return served.fetch(path, { method: 'HEAD' })
    case 'bot':
      return served.fetch(path, { headers: { 'user-agent': 'Googlebot/2.1' } })
  }
}

/** Finds out about a digest as a person does. */
async function lookUp(served: Served, digest: string) {
  const { exitCode, output } = await runWaymark(['errors', digest, '--json'], served.app.root)
  expect(exitCode, output).toBe(0)
  return JSON.parse(output).entry
}

describeModes('true statuses', { app: 'errors' }, (served) => {
  describe.each(places)('in %s', (place) => {
    test.each(forms)('as %s', async (form) => {
      for (const [kind, { status, text }] of Object.entries(kinds)) {
        const response = await ask(served, `/${place}/${kind}`, form)
        const body = await response.text()
        const named = `${kind} in ${place} as ${form}`
        expect(response.status, named).toBe(status)
        expect(response.headers.get('cache-control'), named).toContain('no-store')
        const digest = response.headers.get('x-waymark-digest')
        expect(digest !== null, named).toBe(kind === 'throw')
        if (form === 'HEAD') expect(body, named).toBe('')
        else if (form === 'data') {
          expect(response.headers.get('content-type'), named).toContain('text/x-component')
          expect(body, named).toContain(text.replaceAll('&#x27;', "'"))
        } else {
          expect(body, named).toContain(text)
          expect(body, named).toMatch(/<meta name="robots" content="noindex"/)
          expect(body, named).toContain('Errors app')
        }
        if (digest && form !== 'HEAD') expect(body, named).toContain(digest)
        // The dev server replays its log in the browser's console.
        if (served.mode === 'production') expect(body, named).not.toContain('a secret')
      }
    })
  })

  test.each(places)('redirects in %s', async (place) => {
    for (const form of forms) {
      const response = await ask(served, `/${place}/redirect`, form)
      expect([form, response.status]).toEqual([form, 307])
      expect(response.headers.get('location')).toBe(
        form === 'data' ? '/_waymark/data/landing.rsc?from=redirect' : '/landing?from=redirect',
      )
    }
  })

  test('route handlers', async () => {
    for (const [kind, { status }] of Object.entries(kinds)) {
      for (const method of ['GET', 'HEAD']) {
        const response = await served.fetch(`/api/${kind}`, { method })
        expect([kind, method, response.status]).toEqual([kind, method, status])
        if (kind === 'throw')
          expect(response.headers.get('x-waymark-digest')).toMatch(digestPattern)
      }
    }
    const redirect = await served.fetch('/api/redirect')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      307,
      '/landing?from=redirect',
    ])
    const json = await served.fetch('/api/throw', { headers: { accept: 'application/json' } })
    expect(json.headers.get('content-type')).toBe('application/problem+json')
    expect(await json.json()).toMatchObject({
      status: 500,
      digest: json.headers.get('x-waymark-digest'),
    })
  })

  test('the screen is there without JavaScript', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    for (const [kind, { status }] of Object.entries(kinds)) {
      const response = await page.goto(`/suspense/${kind}`)
      expect(response?.status()).toBe(status)
      expect(await page.locator('h1').isVisible()).toBe(true)
      expect(await page.getByRole('link', { name: 'Home' }).isVisible()).toBe(true)
    }
    await page.goto('/suspense/redirect')
    expect(await page.locator('h1').textContent()).toBe('Landed')
  })

  test('a navigation shows the screen without leaving the document', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    // In development, the overlay of another test's error may lie over the page.
    await page.getByRole('link', { name: 'gone' }).dispatchEvent('click')
    await page.getByRole('heading', { name: 'This page could not be found.' }).waitFor()
    expect(await page.title()).toContain('404')
    await page.goBack()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
  })
})

describeModes('digests', { app: 'errors' }, (served) => {
  test.each([
    ['page', 'app/page/[what]/page.tsx', 'document'],
    ['layout', 'app/layout/[what]/layout.tsx', 'document'],
    ['metadata', 'app/metadata/[what]/page.tsx', 'document'],
    ['loading', 'app/loading/[what]/page.tsx', 'document'],
    ['suspense', 'app/suspense/[what]/page.tsx', 'document'],
    ['slot', 'app/slot/[what]/@side/page.tsx', 'document'],
    ['api', 'app/api/[what]/route.ts', 'route-handler'],
  ])('%s: screen, header, log and journal say the same', async (place, file, phase) => {
    const response = await served.fetch(`/${place}/throw?token=abc`)
    const digest = response.headers.get('x-waymark-digest') ?? ''
    expect(await response.text()).toContain(`Digest: ${digest}`)
    expect(served.app.logs()).toContain(`${digest} ${phase} GET /${place}/throw?token=`)
    expect(served.app.logs()).not.toContain('token=abc')
    expect(served.app.logs()).toContain(`instrumentation heard ${digest}`)
    const entry = await lookUp(served, digest)
    expect(entry).toMatchObject({
      digest,
      phase,
      route: `/${place}/[what]`,
      method: 'GET',
      status: 500,
      message: 'a REDACTED of the server',
    })
    expect(entry.path).toBe(`/${place}/throw?token=`)
    expect(entry.causes).toMatchObject([{ name: 'TypeError', message: 'what was behind it' }])
    const text = JSON.stringify(entry)
    expect(text).toContain('act.ts')
    expect(text).toContain(file)
  })

  test('page data has a phase of its own, and each request its digest', async () => {
    const responses = await Promise.all([
      served.fetch('/_waymark/data/page/throw.rsc'),
      served.fetch('/page/throw'),
    ])
    const digests = responses.map(({ headers }) => headers.get('x-waymark-digest') ?? '')
    expect(new Set(digests).size).toBe(2)
    expect((await lookUp(served, digests[0] as string)).phase).toBe('data')
  })

  test('what after() throws is in the journal', async () => {
    await (await served.fetch('/after')).text()
    await expect.poll(() => served.app.logs()).toMatch(/ after GET \/after \(\/after\)/)
    const digest = new RegExp(`(${digestPattern.source}) after`).exec(served.app.logs())?.[1] ?? ''
    expect(await lookUp(served, digest)).toMatchObject({ phase: 'after', route: '/after' })
  })

  test.each(['string', 'null', 'undefined', 'frozen', 'getter', 'proxy', 'text', 'huge', 'cyclic'])(
    'a thrown %s gets a screen and an entry',
    async (what) => {
      const response = await served.fetch(`/thrown/${what}`)
      expect(response.status).toBe(500)
      const digest = response.headers.get('x-waymark-digest') ?? ''
      const html = await response.text()
      expect(html).toContain(`Digest: ${digest}`)
      expect(html.length).toBeLessThan(served.mode === 'production' ? 20_000 : 40_000_000)
      expect((await lookUp(served, digest)).digest).toBe(digest)
    },
  )
})

describeModes('late signals', { app: 'errors' }, (served) => {
  const texts: Record<string, string> = {
    'not-found': 'This page could not be found.',
    forbidden: 'This page could not be accessed.',
    unauthorized: "You're not authorized to access this page.",
  }

  test.each(['late', 'latepage'])(
    '%s: the screen appears, and is hidden from robots',
    async (place) => {
      const { page } = await openPage(served.app)
      for (const [kind, text] of Object.entries(texts)) {
        const response = await page.goto(`/${place}/${kind}`)
        expect(response?.status()).toBe(200)
        await page.getByRole('heading', { name: text }).waitFor()
        await expect.poll(() => page.locator('meta[name=robots]').count()).toBeGreaterThan(0)
      }
      const bot = await ask(served, `/${place}/not-found`, 'bot')
      expect(bot.status).toBe(404)
      expect(served.app.logs()).toMatch(/came after the head of/)
    },
  )

  test('without JavaScript, the screen of a page under loading appears', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    const html = await (await served.fetch('/latepage/not-found')).text()
    expect(html).toContain('This page could not be found.')
    expect(html).toMatch(/<meta name="robots" content="noindex"/)
    await page.goto('/latepage/redirect')
    await expect.poll(() => page.locator('h1').textContent()).toBe('Landed')
  })

  test.each(['late', 'latepage'])('%s: redirects lead on', async (place) => {
    const { page } = await openPage(served.app)
    await page.goto(`/${place}/redirect`)
    await page.getByRole('heading', { name: 'Landed' }).waitFor()
    const withoutScripts = await openPage(served.app, { javaScriptEnabled: false })
    await withoutScripts.page.goto(`/${place}/redirect`)
    await expect.poll(() => withoutScripts.page.locator('h1').textContent()).toBe('Landed')
  })

  test.each(['late', 'latepage'])(
    '%s: an error ends in a screen with its digest',
    async (place) => {
      const { page } = await openPage(served.app)
      const response = await page.goto(`/${place}/throw`)
      expect(response?.status()).toBe(200)
      await page.getByText('Application error').waitFor()
      const shown = await page.locator('.waymark-screen-digest').textContent()
      const digest = digestPattern.exec(shown ?? '')?.[0] ?? ''
      expect(await lookUp(served, digest)).toMatchObject({ phase: 'document', status: 200 })
    },
  )
})

describeModes('files for screens', { app: 'errors' }, (served) => {
  test('nest, and replace the built-in ones for their segment', async () => {
    for (const kind of ['not-found', 'forbidden', 'unauthorized']) {
      const response = await served.fetch(`/nest/${kind}`)
      const html = await response.text()
      expect(html).toContain(`Nest: ${kind.replace('-', ' ')}`)
      expect(html).toContain('<section id="nest">')
      expect(response.status).toBe(kinds[kind as keyof typeof kinds].status)
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
    await page.getByRole('button', { name: 'Retry' }).dispatchEvent('click')
    await page.getByText('It recovered').waitFor()
    await page.goto('/nest/throw')
    await hydrated(page)
    await page.getByRole('link', { name: 'Leave' }).dispatchEvent('click')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  })

  test('an error in an error screen goes to the next', async () => {
    const response = await served.fetch('/twice/inner')
    expect(response.status).toBe(500)
    const html = await response.text()
    expect(html).toContain('Outer error screen')
    const { page } = await openPage(served.app)
    await page.goto('/twice/inner')
    await page.getByText('Outer error screen').waitFor()
  })
})

describeModes('errors in the browser', { app: 'errors' }, (served) => {
  const fresh = async (path: string) => {
    const { page } = await openPage(served.app)
    await page.goto(path)
    await hydrated(page)
    return page
  }

  test('outside of any boundary: the built-in screen, with a digest that can be looked up', async () => {
    const page = await fresh('/browser')
    await page.getByRole('button', { name: 'Render' }).click()
    const heading = page.getByText('Application error: a client-side exception has occurred while')
    await heading.waitFor()
    const shown = await page.locator('.waymark-screen-digest').textContent()
    const digest = digestPattern.exec(shown ?? '')?.[0] ?? ''
    await expect.poll(() => served.app.logs()).toContain(`${digest} browser`)
    const entry = await lookUp(served, digest)
    expect(entry).toMatchObject({ phase: 'browser', route: '/browser', path: '/browser' })
    expect(JSON.stringify(entry)).toContain('app/browser/buttons.tsx')
    expect(entry.browser.navigations).toEqual(['/browser'])
    await page.getByRole('link', { name: 'Reload' }).dispatchEvent('click')
    await page.getByRole('heading', { name: 'Browser' }).waitFor()
  })

  test('inside an error file: its screen, with the digest', async () => {
    const page = await fresh('/nest/client')
    const screen = page.getByText('Nest: error')
    // The dev server reloads a page whose packages it has just bundled: the click may be lost.
    await expect
      .poll(async () => {
        const button = page.getByRole('button', { name: 'Render' })
        if (await button.isVisible()) await button.click()
        return screen.isVisible()
      })
      .toBe(true)
    const digest = (await page.locator('#digest').textContent()) ?? ''
    expect(digest).toMatch(digestPattern)
    await expect.poll(() => served.app.logs()).toContain(`${digest} browser`)
    await page.getByRole('button', { name: 'Reset' }).dispatchEvent('click')
    await page.getByRole('button', { name: 'Handler' }).waitFor()
  })

  test.each(['Handler', 'Reject'])('%s: reported, and the page stays', async (name) => {
    const page = await fresh('/browser')
    await page.getByRole('button', { name }).click()
    const text = name === 'Handler' ? 'thrown in an event handler' : 'rejected in the browser'
    await expect.poll(() => served.app.logs()).toContain(text)
    expect(await page.getByRole('heading', { name: 'Browser' }).isVisible()).toBe(true)
  })
})

describeModes(
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
    test('a whole document is shown', async () => {
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

describeModes(
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
    test('takes what no boundary catches, on the server and in the browser', async () => {
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
    test('may have a document of their own', async () => {
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

describeModes('beacons', { app: 'errors', modes: ['production'] }, (served) => {
  const send = (body: BodyInit, headers: Record<string, string> = {}) =>
    served.fetch('/_waymark/errors', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', origin: served.app.origin, ...headers },
    })

  test('garbage, too much and too many are refused', async () => {
    // Earlier runs of the same build have left theirs.
    const list = async () =>
      (await runWaymark(['errors', '--json', '--limit', '5'], served.app.root)).output
    const before = await list()
    expect((await served.fetch('/_waymark/errors')).status).toBe(405)
    expect((await send('{}', { origin: 'https://evil.test' })).status).toBe(403)
    expect((await send('{')).status).toBe(400)
    expect((await send('x'.repeat(2 ** 20))).status).toBe(413)
    const statuses: number[] = []
    for (let count = 0; count < 300; count++) statuses.push((await send('{}')).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await served.fetch('/')).status).toBe(200)
    expect(await list()).toEqual(before)
  })
})
