import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Response } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { hydratedElement, openPage } from './harness/page.ts'

describeModes('server actions', { app: 'actions' }, (served) => {
  test('a call returns its result', async () => {
    const { status, type, body } = await call(served, '/', 'echo', '[1,"two",[3]]')
    expect([status, type]).toEqual([200, 'text/x-component; charset=utf-8'])
    expect(body).toContain('[1,"two",[3]]')
  })

  test('an action that sets cookies also returns the page', async () => {
    const { status, body, headers } = await call(served, '/', 'login', '["ada"]')
    expect(status).toBe(200)
    expect(headers.getSetCookie().join()).toContain('user=ada')
    expect(body).toContain('welcome ada')
    expect(body).toContain('"id":"user","children":"ada"')
  })

  test('a failure reaches the browser as a digest', async () => {
    const { status, body, headers } = await call(served, '/', 'fail', '[]')
    expect(status).toBe(500)
    const digest = headers.get('x-waymark-digest')
    expect(digest).toMatch(/^[\w-]+$/)
    expect(body).toContain(`"digest":"${digest}"`)
    expect(body).not.toContain('secret plan')
    await expect.poll(served.app.logs).toContain(String(digest))
  })

  test.each([
    ['redirect', 200, '"location":"/other"'],
    ['forbidden', 403, '"status":403'],
    ['not-found', 404, '"status":404'],
  ])('%s', async (kind, status, part) => {
    const answer = await call(served, '/', 'leave', JSON.stringify([kind]))
    expect(answer.status).toBe(status)
    expect(answer.body).toContain(part)
  })

  test('a form without a script runs its action', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/form')
    await page.fill('#text', 'plain')
    await page.click('#save')
    await expect.poll(() => page.textContent('#notes')).toBe('saved plain')
    await page.fill('#text', 'gone')
    await page.click('#leave')
    await page.waitForURL('**/other')
  })

  test.each([false, true])(
    'a form on a page with no-referrer runs; JavaScript: %s',
    async (javaScriptEnabled) => {
      const { page } = await openPage(served.app, { javaScriptEnabled })
      await page.context().addCookies([{ name: 'user', value: 'ada', url: served.app.origin }])
      const posted = page.waitForRequest((request) => request.method() === 'POST')
      await page.goto('/referrer')
      if (javaScriptEnabled) await hydratedElement(page.locator('#text'))
      await page.fill('#text', `quiet ${javaScriptEnabled}`)
      await page.click('#save')
      await expect.poll(() => notes(served)).toContain(`saved quiet ${javaScriptEnabled}`)
      const headers = await (await posted).allHeaders()
      expect(headers['sec-fetch-site']).toBe('same-origin')
      if (!javaScriptEnabled) expect(headers.origin).toBe('null')
    },
  )

  test('a form of another site runs nothing, even if its origin is hidden', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/referrer')
    const action = await page.locator('input[name*="#save"]').getAttribute('name')
    const target = `${served.app.origin}/referrer`
    const form = (url: string) =>
      `<form method="post" action="${url}" enctype="multipart/form-data"><input name="${action}"><input name="text" value="forged"><button>Send</button></form>`
    const otherSite = await startSite((path) => {
      if (path === '/to-app') return { status: 307, location: target }
      if (path === '/to-app-twice') return { status: 307, location: '/to-app' }
      return pages[path.slice(1)] ?? ''
    })
    const asAttribute = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    const quiet = '<meta name="referrer" content="no-referrer">'
    const pages: Record<string, string> = {
      plain: form(target),
      quiet: quiet + form(target),
      sandboxed: `<iframe sandbox="allow-forms" srcdoc="${asAttribute(form(target))}"></iframe>`,
      data: `<iframe src="data:text/html,${encodeURIComponent(form(target))}"></iframe>`,
      redirect: form('/to-app'),
      'quiet redirect': quiet + form('/to-app-twice'),
    }
    for (const name of Object.keys(pages)) {
      const { page } = await openPage(otherSite)
      // The check must not depend on cookies, because a browser sends cookies without SameSite even
      // in requests from a different site.
      const posted = page.waitForResponse((response) => response.url() === target)
      await page.goto(`/${encodeURIComponent(name)}`)
      const frame = page.frames().at(-1) ?? page
      await frame.click('button')
      const response = await posted
      expect([name, response.request().method(), response.status()]).toEqual([name, 'POST', 403])
    }
    const { page: top } = await openPage(served.app)
    await top.goto(`data:text/html,${encodeURIComponent(form(target))}`)
    const posted = top.waitForResponse((response) => response.url() === target)
    await top.click('button')
    expect((await posted).status()).toBe(403)
    expect(await notes(served)).not.toContainEqual(expect.stringContaining('forged'))
    await expect
      .poll(served.app.logs)
      .toMatch(/403: refused the action at "\/referrer".*another site/)
  })

  test.each([303, 307, 308])('redirect() with %i leads from a form to a page', async (status) => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
    })
    await page.goto('/form')
    await page.fill('#text', `with ${status}`)
    await page.getByRole('button', { name: `Leave with ${status}` }).click()
    await page.waitForURL('**/other')
    expect(posts).toEqual(['/form'])
    await page.goto('/form')
    expect(await page.textContent('#notes')).toBe(`saved with ${status}`)
  })

  test('a form with state shows its state without a script', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/state')
    await page.fill('#step', '5')
    await page.click('#add')
    await expect.poll(() => page.textContent('#total')).toBe('15')
    await page.click('#add')
    await expect.poll(() => page.textContent('#total')).toBe('16')
  })

  test('invalid input is a 422, and is shown without JavaScript', async () => {
    const empty = await call(served, '/signup', 'signUp', '[{}]')
    expect(empty.status).toBe(422)
    expect(empty.body).toContain('"fieldErrors":{"name":["A name is needed."]}')
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/signup')
    await page.fill('#hobby', 'chess')
    const [answer] = await Promise.all([page.waitForNavigation(), page.click('#send')])
    expect(answer?.status()).toBe(422)
    expect(await page.textContent('#name-error')).toBe('A name is needed.')
    expect(await page.inputValue('#hobby')).toBe('chess')
    await page.fill('#name', 'Ada')
    await page.click('#send')
    await expect.poll(() => page.textContent('#welcome')).toBe('Ada')
  })

  test('input that the action itself refuses is a 422, and the form keeps its text', async () => {
    const duplicate = await call(served, '/signup', 'signUp', '[{"name":"taken"}]')
    expect(duplicate.status).toBe(422)
    for (const javaScriptEnabled of [false, true]) {
      const { page } = await openPage(served.app, { javaScriptEnabled })
      await page.goto('/signup')
      if (javaScriptEnabled) await hydrated(page)
      await page.fill('#name', 'taken')
      await page.fill('#hobby', 'chess')
      const isPost = (response: Response) => response.request().method() === 'POST'
      const [answer] = await Promise.all([page.waitForResponse(isPost), page.click('#send')])
      expect(answer.status()).toBe(422)
      await expect.poll(() => page.textContent('#name-error')).toBe('This name is taken.')
      expect(await page.inputValue('#hobby')).toBe('chess')
    }
  })

  test('a form that is too large without JavaScript says so, with the limit', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/signup')
    await page.fill('#hobby', 'x'.repeat(1_100_000))
    const [answer] = await Promise.all([page.waitForNavigation(), page.click('#send')])
    expect(answer?.status()).toBe(413)
    expect(await page.title()).toBe('413: This is too large to send')
    expect(await page.textContent('.waymark-screen-sentence')).toContain('The limit is 1 MB.')
  })

  test('an action has its own deadline and size limit', async () => {
    const timedOut = await call(served, '/signup', 'patient', '[null]')
    expect([timedOut.status, timedOut.body]).toEqual([
      504,
      expect.stringContaining('"code":"timeout"'),
    ])
    await expect.poll(() => notes(served)).toContain('aborted: TimeoutError')
    expect((await call(served, '/signup', 'tiny', '["small"]')).status).toBe(200)
    const large = await call(served, '/signup', 'tiny', JSON.stringify(['x'.repeat(100)]))
    expect([large.status, large.body]).toEqual([413, expect.stringContaining('"code":"too-large"')])
  })

  test('a layout that refuses stops the actions below it', async () => {
    const refused = await call(served, '/guarded', 'remove', '["it"]')
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.stringContaining('"kind":"signal"'),
    ])
    expect(await notes(served)).not.toContain('removed it')
    const admin = { cookie: 'role=admin' }
    const allowed = await call(served, '/guarded', 'remove', '["it"]', admin)
    expect([allowed.status, allowed.body]).toEqual([200, expect.stringContaining('removed it')])
    // A page that doesn't use the action can't call it, so nobody can bypass the action's guards
    // from that page.
    const around = await call(served, '/', 'remove', '["that"]', admin)
    expect([around.status, around.body]).toEqual([409, expect.stringContaining('"code":"unknown"')])
    expect(await notes(served)).not.toContain('removed that')
  })

  test('a repeat with the same idempotency key runs once, and gets the first response', async () => {
    const key = { 'waymark-idempotency-key': `once-${served.mode}-0123456789` }
    const calls = [1, 2, 3].map(() => call(served, '/', 'note', '["once"]', key))
    const answers = await Promise.all(calls)
    answers.push(await call(served, '/', 'note', '["once"]', key))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect((await notes(served)).filter((note) => note === 'once')).toHaveLength(1)
    const other = await call(served, '/', 'note', '["other"]', key)
    expect([other.status, other.body]).toEqual([
      409,
      expect.stringContaining('"code":"key-reused"'),
    ])
  })

  test.each<[string, number, Record<string, string>, string]>([
    ['foreign-origin', 403, { 'sec-fetch-site': 'cross-site' }, '[]'],
    ['foreign-origin', 403, { 'sec-fetch-site': 'same-site' }, '[]'],
    ['foreign-origin', 403, { origin: 'https://evil.test' }, '[]'],
    ['foreign-origin', 403, { origin: 'null' }, '[]'],
    ['unknown', 409, { 'waymark-action': 'constructor#prototype' }, '[]'],
    ['unknown', 409, { 'waymark-action': '__proto__#x' }, '[]'],
    ['unknown', 409, { 'waymark-action': 'x' }, '[]'],
    ['too-large', 413, {}, JSON.stringify(['x'.repeat(1_000_001)])],
    ['wrong-type', 415, { 'content-type': 'application/json' }, '[]'],
    ['malformed', 400, {}, '['],
    ['malformed', 400, {}, '{}'],
    ['malformed', 400, {}, ''],
    ['malformed', 400, {}, '["$@5"'],
    ['malformed', 400, {}, `${'['.repeat(200)}${']'.repeat(200)}`],
    ['malformed', 400, {}, '["$F1"]'],
    ['malformed', 400, {}, '["$1:__proto__:x"]'],
    ['malformed', 400, { 'content-type': 'multipart/form-data' }, 'x'],
    ['malformed', 400, { 'content-type': 'multipart/form-data; boundary=b' }, 'x'],
    ['malformed', 400, { 'waymark-idempotency-key': 'short' }, '[]'],
  ])('a call is refused as %s: %i, %j', async (code, status, headers, body) => {
    const answer = await call(served, '/', 'echo', body, headers)
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(`"${code}"`)])
    expect(answer.body).not.toMatch(/\.[jt]sx?\b| at /)
  })

  test.each<[number, Record<string, string>, string]>([
    [403, { 'sec-fetch-site': 'cross-site' }, 'a=b'],
    [403, { cookie: 'a=b', 'sec-fetch-site': '' }, 'a=b'],
    [400, {}, 'a=b'],
    [409, {}, '%24ACTION_ID_x%23y='],
    [409, {}, '%24ACTION_ID___proto__%23y='],
    [400, {}, '%24ACTION_REF_1='],
    [400, {}, '%24ACTION_REF_1=&%24ACTION_1%3A0=%5B'],
    [413, {}, 'a'.repeat(1_000_001)],
    [415, { 'content-type': 'text/plain' }, 'a=b'],
  ])('a form is refused with a screen: %i, %j', async (status, headers, body) => {
    const sent: Record<string, string> = {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      accept: 'text/html',
      ...headers,
    }
    if (sent['sec-fetch-site'] === '') delete sent['sec-fetch-site']
    const answer = await served.fetch('/form', { method: 'POST', headers: sent, body })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  })

  test('two actions of one second run in parallel', async () => {
    const startedAtMs = Date.now()
    await Promise.all([call(served, '/', 'slow', '[1000]'), call(served, '/', 'slow', '[1000]')])
    // If the calls ran in sequence, they would take two seconds.
    expect(Date.now() - startedAtMs).toBeLessThan(1_900)
  })

  test('values of a closure are encrypted', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/closure')
    expect(await page.content()).not.toContain('kept-by-the-server')
    await page.fill('#text', 'x')
    await page.click('#keep')
    await expect.poll(() => page.textContent('#notes')).toBe('kept-by-the-server x')
  })
})

type SiteResponse = string | { readonly status: number; readonly location: string }

/** Starts a site on a different host, so that browsers treat its requests as cross-site. */
async function startSite(respond: (path: string) => SiteResponse): Promise<{ origin: string }> {
  const server = createServer((req, res) => {
    const response = respond(decodeURIComponent(req.url ?? '/'))
    if (typeof response === 'string') res.setHeader('content-type', 'text/html').end(response)
    else res.writeHead(response.status, { location: response.location }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}` }
}

async function notes(served: Served): Promise<string[]> {
  return (await served.fetch('/notes')).json() as Promise<string[]>
}

async function call(
  served: Served,
  path: string,
  name: string,
  args: string,
  addedHeaders: Readonly<Record<string, string>> = {},
) {
  const response = await served.fetch(path, {
    method: 'POST',
    headers: {
      'waymark-action': await actionId(served, name),
      'content-type': 'text/plain;charset=UTF-8',
      ...(addedHeaders.origin ? {} : { 'sec-fetch-site': 'same-origin' }),
      ...addedHeaders,
    },
    body: args,
  })
  const { status, headers } = response
  return { status, headers, type: headers.get('content-type'), body: await response.text() }
}

/** Returns the id of an action, from the browser's modules. */
async function actionId(served: Served, name: string): Promise<string> {
  const match = new RegExp(`["'\`]([^"'\`\\s]+#${name})["'\`]`).exec(await clientCode(served))
  if (!match?.[1]) throw new Error(`No action ${name} in the client's code.`)
  return match[1]
}

const codes = new WeakMap<object, Promise<string>>()

function clientCode(served: Served): Promise<string> {
  const cached = codes.get(served.app) ?? loadClientCode(served)
  codes.set(served.app, cached)
  return cached
}

async function loadClientCode(served: Served): Promise<string> {
  if (served.mode === 'dev') {
    const files = ['_lib/actions.ts', 'guarded/remove.ts', 'signup/actions.ts']
    // Request the page, because a dev server knows only the actions of pages that it has rendered.
    await served.fetch('/signup')
    await served.fetch('/guarded', { headers: { cookie: 'role=admin' } })
    const texts = files.map(async (file) => (await served.fetch(`/app/${file}`)).text())
    return (await Promise.all(texts)).join('\n')
  }
  const { readdirSync, readFileSync } = await import('node:fs')
  const folder = `${served.app.root}/.waymark/client/_waymark/assets`
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  return files.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n')
}
