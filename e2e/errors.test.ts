import { readFileSync, rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from './harness/app.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'
import { appPlaces, digestPattern, lookUp } from './harness/digests.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

describeModes('digests', { app: 'errors' }, (served) => {
  test.each([
    ['page', 'app/page/[what]/page.tsx', 'document'],
    ['layout', 'app/layout/[what]/layout.tsx', 'document'],
    ['metadata', 'app/metadata/[what]/page.tsx', 'document'],
    ['loading', 'app/loading/[what]/page.tsx', 'document'],
    ['suspense', 'app/suspense/[what]/page.tsx', 'document'],
    ['slot', 'app/slot/[what]/@side/page.tsx', 'document'],
    ['api', 'app/api/[what]/route.ts', 'route-handler'],
  ])('%s: screen, header, log and journal have the same one', async (place, file, phase) => {
    const response = await served.fetch(`/${place}/throw?token=abc`)
    const digest = response.headers.get('x-waymark-digest') ?? ''
    expect(await response.text()).toContain(`Digest: ${digest}`)
    await expect.poll(served.app.logs).toContain(`${digest} ${phase} GET /${place}/throw?token=`)
    expect(served.app.logs()).not.toContain('token=abc')
    await expect.poll(served.app.logs).toContain(`instrumentation heard ${digest}`)
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

  test('page data is its own phase, and each request gets its own digest', async () => {
    const responses = await Promise.all([
      served.fetch('/_waymark/data/page/throw.rsc'),
      served.fetch('/page/throw'),
    ])
    const digests = responses.map(({ headers }) => headers.get('x-waymark-digest') ?? '')
    expect(new Set(digests).size).toBe(2)
    expect((await lookUp(served, digests[0] as string)).phase).toBe('data')
  })

  test('errors in after() are in the journal', async () => {
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
    const digestText = await page.locator('.waymark-screen-digest').textContent()
    const digest = digestPattern.exec(digestText ?? '')?.[0] ?? ''
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
    // Repeat the click, because it may be lost: the dev server reloads a page whose packages it has
    // just bundled.
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
  'unusual values that a browser throws',
  { app: 'errors', modes: ['production'] },
  (served) => {
    test('have a screen and an entry each', async () => {
      const { page } = await openPage(served.app)
      for (const what of [
        'string',
        'null',
        'undefined',
        'frozen',
        'getter',
        'text',
        'huge',
        'cyclic',
      ]) {
        await page.goto(`/odd/${what}`)
        await hydrated(page)
        await page.getByRole('button', { name: 'Render' }).click()
        await page.getByText('Application error: a client-side exception').waitFor()
        const digest = (await page.locator('.waymark-screen-digest').textContent()) ?? ''
        expect(digest, what).toMatch(digestPattern)
        const [loggedDigest = ''] = digestPattern.exec(digest) ?? []
        await expect
          .poll(() => served.app.logs(), { message: what })
          .toContain(`${loggedDigest} browser`)
      }
    })

    test('on which React itself fails, such as a proxy, leave the page as it is, and are in the journal', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/odd/proxy')
      await hydrated(page)
      await page.getByRole('button', { name: 'Render' }).click()
      await expect.poll(() => served.app.logs()).toMatch(/ browser \/odd\/proxy .*\n.*revoked/)
      expect(await page.getByRole('button', { name: 'Render' }).isVisible()).toBe(true)
    })

    test('in an effect are caught and reported, with the build and the browser', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/odd/nothing')
      await hydrated(page)
      await page.getByRole('button', { name: 'Effect' }).click()
      await page.getByText('Application error: a client-side exception').waitFor()
      const digestText = (await page.locator('.waymark-screen-digest').textContent()) ?? ''
      const [digest = ''] = digestPattern.exec(digestText) ?? []
      await expect.poll(() => served.app.logs()).toContain(`${digest} browser`)
      const entry = await lookUp(served, digest)
      const { buildId } = JSON.parse(readFileSync(`${served.app.root}/.waymark/build.json`, 'utf8'))
      expect(entry).toMatchObject({ phase: 'browser', message: 'thrown in an effect', buildId })
      expect(entry.browser.userAgent).toContain('Chrome')
      expect(entry.browser.navigations).toEqual(['/odd/nothing'])
      expect(appPlaces(entry, served.app)[0]).toBe('app/odd/[what]/thrower.tsx:22')
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

  test('are refused if they are garbage, too large or too many', async () => {
    const garbage = JSON.stringify({ message: 'what no page of ours sends' })
    expect((await served.fetch('/_waymark/errors')).status).toBe(405)
    expect((await send(garbage, { origin: 'https://evil.test' })).status).toBe(403)
    expect((await send('{')).status).toBe(400)
    expect((await send('x'.repeat(2 ** 20))).status).toBe(413)
    const statuses: number[] = []
    for (let count = 0; count < 300; count++) statuses.push((await send(garbage)).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await served.fetch('/')).status).toBe(200)
    const { output } = await runWaymark(['errors', '--json', '--limit', '20'], served.app.root)
    expect(JSON.parse(output).length).toBeGreaterThan(0)
    expect(output).not.toContain('what no page of ours sends')
  })
})

const exceptionPattern = new RegExp(
  `(${digestPattern.source}) process\n(?:Error: )?thrown in a timer`,
)

describeModes('errors outside of any request', { app: 'errors' }, (served) => {
  test('a rejected promise is in log and journal, and the server continues', async () => {
    expect((await served.fetch('/outside/reject')).status).toBe(200)
    await expect.poll(() => served.app.logs()).toMatch(/ process\n.*rejected on the server/)
    const digest =
      new RegExp(`(${digestPattern.source}) process`).exec(served.app.logs())?.[1] ?? ''
    const entry = await lookUp(served, digest)
    expect(entry).toMatchObject({ phase: 'process', message: 'rejected on the server' })
    expect(entry.code.file).toMatch(/app\/outside\/\[what\]\/page\.tsx$/)
    expect((await served.fetch('/')).status).toBe(200)
  })

  test('an exception is in log and journal, and the server continues', async () => {
    const uncaught = async () => {
      const health = await served.fetch('/_waymark/health/live')
      return ((await health.json()) as { uncaughtExceptions: number }).uncaughtExceptions
    }
    const before = served.mode === 'dev' ? 0 : await uncaught()
    await served.fetch('/outside/throw')
    await expect.poll(served.app.logs).toMatch(exceptionPattern)
    const digest = exceptionPattern.exec(served.app.logs())?.[1] ?? ''
    expect(await lookUp(served, digest)).toMatchObject({ phase: 'process' })
    expect((await served.fetch('/')).status).toBe(200)
    expect(served.app.exitCode()).toBeNull()
    if (served.mode === 'production') expect(await uncaught()).toBe(before + 1)
  })
})

const modes = ['dev', 'production'] as const

test.each(modes)('a server that is stopped at once has stored its digests, %s', async (mode) => {
  const app = await startApp({ app: 'errors', mode })
  // Remove only development copies, because other suites share the build.
  if (mode === 'dev') onTestFinished(() => rmSync(app.root, { recursive: true, force: true }))
  const digests: string[] = []
  // The journal stores only some of the errors in full. It counts the others, and stores the counts
  // a second later.
  for (let count = 0; count < 25; count++) {
    const response = await fetch(`${app.origin}/page/throw`, { headers: { connection: 'close' } })
    digests.push(response.headers.get('x-waymark-digest') ?? '')
    await response.text()
  }
  process.kill(app.pid, 'SIGTERM')
  await expect.poll(app.exitCode).toBe(0)
  expect((await lookUp({ app }, digests[0] ?? '')).digest).toBe(digests[0])
  expect((await lookUp({ app }, digests[24] ?? '')).phase).toBe('document')
})

test.each([
  ['the server', []],
  ['a worker', ['--workers', '2']],
])('with --exit-on-uncaught, an exception ends %s gracefully', async (_, args) => {
  const app = await startApp({
    app: 'errors',
    mode: 'production',
    args: ['--exit-on-uncaught', ...args],
  })
  onTestFinished(() => (app.exitCode() === null ? app.kill() : undefined))
  const answer = await fetch(`${app.origin}/outside/throw`)
  expect(answer.status).toBe(200)
  await expect.poll(app.logs).toMatch(exceptionPattern)
  const digest = exceptionPattern.exec(app.logs())?.[1] ?? ''
  await expect.poll(app.logs).toContain('The server exits with 1')
  if (args.length === 0) await expect.poll(app.exitCode).toBe(1)
  else {
    await expect.poll(app.logs).toContain('ended with code 1. A new worker starts')
    expect(app.exitCode()).toBeNull()
  }
  expect(await lookUp({ app }, digest)).toMatchObject({ phase: 'process' })
})
