import { join } from 'node:path'
import { type TestApp, testApp, withFault } from '@waymark/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../scripts/workspace/run.mjs'
import { appEnv } from './harness/appEnv.ts'
import { buildApp } from './harness/appFolder.ts'
import { openPage } from './harness/page.ts'

describe('an app under test', () => {
  let app: TestApp
  let root = ''
  beforeAll(async () => {
    root = await buildApp({ app: 'drilled' })
    app = await testApp(root, { build: 'never', env: { PUBLIC_STAGE: 'staging' } })
  })
  afterAll(() => app.close())

  test('returns status, HTML and payload', async () => {
    const page = await app.get('/trails/oak', { cookies: { user: 'Ada' } })
    expect(page.status).toBe(200)
    expect(page.html).toContain('<h1>Trail <!-- -->oak</h1>')
    expect(page.html).toContain('Ada')
    expect(page.payload).toContain('"pathname":"/trails/oak"')
    expect([page.thrown, page.digest]).toEqual([[], null])
    expect((await app.get('/trails/none')).status).toBe(404)
  })

  test('returns a thrown error, with the message that browsers never get', async () => {
    const page = await app.get('/trails/broken')
    expect(page.status).toBe(500)
    expect(page.thrown).toMatchObject([
      { digest: page.digest, message: 'the trail is closed', route: '/trails/[slug]' },
    ])
    expect(page.html).not.toContain('the trail is closed')
    expect((await app.get('/trails/oak')).thrown).toEqual([])
  })

  test('returns cached values', async () => {
    const page = await app.get('/stored')
    expect(page.cached).toMatchObject([{ tags: expect.arrayContaining(['peaks']) }])
    expect((await app.get('/stored')).cached).toEqual([])
  })

  test('submits a form as a browser does, once', async () => {
    const before = await app.get('/add')
    const form = before.form('words')
    const sent = await app.act(form, { word: 'oak' })
    expect(sent.cookies).toEqual({ word: 'oak' })
    const after = await app.get('/add', { cookies: sent.cookies })
    expect(after.html).toMatch(/The word: (<!-- -->)?oak/)
    const { added } = JSON.parse((await app.get('/effects')).html)
    await app.act(form, { word: 'oak' })
    expect(JSON.parse((await app.get('/effects')).html).added).toBe(added)
    expect(() => before.form('other')).toThrow('The forms are: words')
  })

  test('sends a POST with the origin of the app', async () => {
    const { html } = await app.send('/effects', { method: 'POST', body: 'oak' })
    expect(JSON.parse(html)).toMatchObject({ body: 'oak', origin: app.origin })
  })

  test('can be broken in a browser', async () => {
    const { page } = await openPage(app)
    await page.goto('/')
    const fault = await withFault(page, 'data', 'cut')
    await page.getByRole('link', { name: 'Oak' }).click()
    await page.getByRole('heading', { name: 'Trail oak' }).waitFor()
    expect(fault.hits).toBeGreaterThan(0)
    await fault.remove()
    await withFault(page, 'machine', 'storage-full')
    await page.reload()
    const write = page.evaluate(() => localStorage.setItem('a', 'b'))
    await expect(write).rejects.toThrow('QuotaExceededError')
    await expect(withFault(page, 'data', 'cutt')).rejects.toThrow('There is no fault data:cutt')
  })

  test('has the public settings of its environment, not of its build', async () => {
    const page = await app.get('/stage')
    expect(page.html).toContain('Stage: staging')
    expect(page.payload).toContain('"name":"staging"')
    const live = await testApp(root, { build: 'never', env: { PUBLIC_STAGE: 'live' } })
    onTestFinished(() => live.close())
    expect((await live.get('/stage')).html).toContain('Stage: live')
  })

  test('has a clock that can be set ahead: for its own code, its cache and its idempotency keys', async () => {
    const later = await testApp(root, { build: 'never', now: '2030-01-01T12:00:00Z' })
    onTestFinished(() => later.close())
    const effects = async () => JSON.parse((await later.get('/effects')).html)
    expect((await effects()).now).toMatch(/^2030-01-01T12:0/)
    await later.get('/stored')
    const form = (await later.get('/add')).form('words')
    await later.act(form, { word: 'oak' })
    await later.act(form, { word: 'oak' })
    expect((await effects()).added).toBe(1)
    await later.clock.advance('14m')
    await later.get('/stored')
    expect((await effects()).computed).toBe(1)
    await later.clock.advance('1h')
    expect((await effects()).now).toMatch(/^2030-01-01T13:1/)
    // A stale value is served, and is refreshed in the background.
    expect((await later.get('/stored')).html).toContain('Lake and Summit')
    await expect.poll(async () => (await effects()).computed).toBe(2)
    await later.act(form, { word: 'oak' })
    expect((await effects()).added).toBe(2)
    await expect(later.clock.advance('soon')).rejects.toThrow("can't advance by soon")
    await expect(testApp(root, { build: 'never', now: 'then' })).rejects.toThrow(
      'is not a valid date',
    )
  })

  test('has components that render without it, in node:test', async () => {
    const file = join(root, 'render.check.mjs')
    const { output, exitCode } = await run(process.execPath, ['--test', file], {
      cwd: root,
      quiet: true,
      env: appEnv({}),
    })
    expect(exitCode, output).toBe(0)
    expect(output).toMatch(/pass 2/)
  })
})
