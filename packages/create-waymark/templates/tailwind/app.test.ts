import { type TestApp, testApp } from '@waymark/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Tests whole pages of the production build, without a browser.
let app: TestApp
beforeAll(async () => {
  app = await testApp(new URL('.', import.meta.url))
}, 120_000)
afterAll(() => app?.close())

test('the start page loads', async () => {
  const page = await app.get('/')
  expect(page.status).toBe(200)
  expect(page.html).toContain('Your app is running')
  expect(page.thrown).toEqual([])
})

test('an unknown page has the status 404', async () => {
  expect((await app.get('/missing')).status).toBe(404)
})
