import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp, withFault } from 'waymark/testing'
import { buildApp } from './harness/appFolder.ts'
import { openPage } from './harness/page.ts'

describe('an app under test', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp(await buildApp({ app: 'drilled' }), { build: 'never' })
  })
  afterAll(() => app.close())

  test('gives status, HTML and payload', async () => {
    const page = await app.get('/trails/oak', { cookies: { user: 'Ada' } })
    expect(page.status).toBe(200)
    expect(page.html).toContain('<h1>Trail <!-- -->oak</h1>')
    expect(page.html).toContain('Ada')
    expect(page.payload).toContain('"pathname":"/trails/oak"')
    expect([page.thrown, page.digest]).toEqual([[], null])
    expect((await app.get('/trails/none')).status).toBe(404)
  })

  test('gives what was thrown, with the message that browsers never get', async () => {
    const page = await app.get('/trails/broken')
    expect(page.status).toBe(500)
    expect(page.thrown).toMatchObject([
      { digest: page.digest, message: 'the trail is closed', route: '/trails/[slug]' },
    ])
    expect(page.html).not.toContain('the trail is closed')
    expect((await app.get('/trails/oak')).thrown).toEqual([])
  })

  test('gives what was cached', async () => {
    const page = await app.get('/stored')
    expect(page.cached).toMatchObject([{ tags: expect.arrayContaining(['peaks']) }])
    expect((await app.get('/stored')).cached).toEqual([])
  })

  test('sends a form as a browser does, once', async () => {
    const before = await app.get('/add')
    const form = before.form('words')
    const sent = await app.act(form, { word: 'oak' })
    expect(sent.cookies).toEqual({ word: 'oak' })
    const after = await app.get('/add', { cookies: sent.cookies })
    expect(after.html).toMatch(/The word: (<!-- -->)?oak/)
    const { added } = JSON.parse((await app.get('/effects')).html)
    await app.act(form, { word: 'oak' })
    expect(JSON.parse((await app.get('/effects')).html).added).toBe(added)
    expect(() => before.form('other')).toThrow('its forms: words')
  })

  test('can be broken in a browser', async () => {
    const { page } = await openPage(app)
    await page.goto('/')
    const fault = await withFault(page, 'data', 'cut')
    await page.getByRole('link', { name: 'Oak' }).click()
    await page.getByRole('heading', { name: 'Trail oak' }).waitFor()
    expect(fault.hits).toBeGreaterThan(0)
    await fault.remove()
    await expect(withFault(page, 'data', 'cutt')).rejects.toThrow('There is no fault data:cutt')
  })
})
