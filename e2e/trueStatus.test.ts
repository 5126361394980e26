import { describe, expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { appPlaces, digestPattern, lookUp } from './harness/digests.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

/** Kinds of results that the app's functions cause, each with its status and text. */
const kinds = {
  'not-found': { status: 404, text: 'This page could not be found.' },
  forbidden: { status: 403, text: 'This page could not be accessed.' },
  unauthorized: { status: 401, text: 'You&#x27;re not authorized to access this page.' },
  throw: { status: 500, text: 'Application error: a server-side exception has occurred' },
} as const

const places = ['page', 'layout', 'metadata', 'loading', 'suspense', 'slot'] as const
/** Lines of the app's code that call the functions, by place. */
const callers: Readonly<Record<string, string>> = {
  page: 'app/page/[what]/page.tsx:4',
  layout: 'app/layout/[what]/layout.tsx:5',
  metadata: 'app/metadata/[what]/page.tsx:4',
  loading: 'app/loading/[what]/page.tsx:5',
  suspense: 'app/suspense/[what]/page.tsx:7',
  slot: 'app/slot/[what]/@side/page.tsx:4',
  api: 'app/api/[what]/route.ts:4',
  action: 'app/action/[what]/page.tsx:7',
}

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

/** Submits a page's only form, as a browser without scripts does. */
async function sendForm(served: Served, path: string): Promise<Response> {
  const html = await (await served.fetch(path)).text()
  const body = new FormData()
  for (const [tag] of html.matchAll(/<input type="hidden"[^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(tag) ?? []
    const [, value = ''] = /value="([^"]*)"/.exec(tag) ?? []
    body.append(name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  }
  const { origin } = served.app
  const headers = { origin, 'sec-fetch-site': 'same-origin' }
  return served.fetch(path, { method: 'POST', body, headers })
}

describeApp('true statuses', { app: 'errors' }, (served) => {
  /** Digests of the errors, by the request that caused each of them. */
  const digests = new Map<string, string>()

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
        if (digest) digests.set(`${place} ${form}`, digest)
        // Check this in production only, because the dev server repeats its log in the browser's
        // console.
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
        const digest = response.headers.get('x-waymark-digest')
        expect(digest !== null).toBe(kind === 'throw')
        if (digest) digests.set(`api ${method}`, digest)
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

  test('an action that is called by a form without a script', async () => {
    for (const [kind, { status, text }] of Object.entries(kinds)) {
      const response = await sendForm(served, `/action/${kind}`)
      const body = await response.text()
      expect(response.status, kind).toBe(status)
      expect(body, kind).toContain(text)
      expect(body, kind).toMatch(/<meta name="robots" content="noindex"/)
      const digest = response.headers.get('x-waymark-digest')
      expect(digest !== null, kind).toBe(kind === 'throw')
      if (digest) digests.set('action form', digest)
    }
    const redirect = await sendForm(served, '/action/redirect')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      303,
      '/landing?from=redirect',
    ])
  })

  test('an action that is called by a script', async () => {
    const { page } = await openPage(served.app)
    // In development, test only two kinds: each first visit is slow, and the browser does the same
    // in both modes.
    for (const kind of served.mode === 'dev' ? ['not-found', 'throw'] : Object.keys(kinds)) {
      await page.goto(`/action/${kind}`)
      await hydrated(page)
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button', { name: 'Run' }).click()
      const response = await answered
      expect(response.status(), kind).toBe(kinds[kind as keyof typeof kinds].status)
      await page.locator('.waymark-screen').waitFor()
    }
  })

  test('each digest leads to the line that threw and to its caller', async () => {
    // Look up only some digests: the others would give the same result, and the command takes a
    // while.
    const selected = [...digests].filter(([what]) => /page|document|form|GET/.test(what))
    expect(selected.length).toBe(places.length + forms.length + 1)
    for (const [what, digest] of selected) {
      const [place = ''] = what.split(' ')
      const entry = await lookUp(served, digest)
      const [first, second, third] = appPlaces(entry, served.app)
      expect([first, second, third], what).toEqual(['act.ts:9', 'act.ts:15', callers[place]])
      expect(entry.code.text, what).toContain("throw new Error('a secret of the server'")
      expect(entry.causes[0].frames[0].place, what).toMatchObject({ line: 9 })
      const phases: Readonly<Record<string, string>> = { api: 'route-handler', action: 'action' }
      const kind = what.endsWith('data') ? 'data' : 'document'
      expect(entry.phase, what).toBe(phases[place] ?? kind)
      const method = place === 'action' ? 'POST' : 'GET'
      expect(entry.method, what).toBe(what.endsWith('HEAD') ? 'HEAD' : method)
    }
  })

  test('the screen is there without JavaScript', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    // In development, test only one place, because the browser does the same in both modes.
    for (const place of served.mode === 'dev' ? (['suspense'] as const) : places) {
      for (const [kind, { status }] of Object.entries(kinds)) {
        const response = await page.goto(`/${place}/${kind}`)
        expect(response?.status()).toBe(status)
        expect(await page.getByRole('heading', { level: 1 }).first().isVisible()).toBe(true)
        expect(await page.getByRole('link', { name: 'Home' }).isVisible()).toBe(true)
      }
      await page.goto(`/${place}/redirect`)
      expect(await page.locator('h1').textContent()).toBe('Landed')
    }
  })

  test('a navigation shows the screen without leaving the document', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    // Dispatch the event, because in development the overlay of a previous test's error may cover
    // the page.
    await page.getByRole('link', { name: 'gone' }).dispatchEvent('click')
    await page.getByRole('heading', { name: 'This page could not be found.' }).waitFor()
    expect(await page.title()).toContain('404')
    await page.goBack()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
  })
})

describeApp('late signals', { app: 'errors' }, (served) => {
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
      await expect.poll(served.app.logs).toMatch(/came too late/)
      // In development, the message contains the line of the call.
      const line = /came too late: .*\n\s+at act .*act\.ts:15:\d+/
      if (served.mode === 'dev') await expect.poll(served.app.logs).toMatch(line)
      else expect(served.app.logs()).not.toMatch(line)
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

  test.each(['late', 'latepage'])('%s: redirects are followed', async (place) => {
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
      const digestText = await page.locator('.waymark-screen-digest').textContent()
      const digest = digestPattern.exec(digestText ?? '')?.[0] ?? ''
      expect(await lookUp(served, digest)).toMatchObject({ phase: 'document', status: 200 })
    },
  )
})
