import { type TestApp, testApp } from '@waymark/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Tests whole pages of the production build, without a browser.
let app: TestApp
beforeAll(async () => {
  app = await testApp(new URL('.', import.meta.url))
}, 120_000)
afterAll(() => app?.close())

test.each([
  ['/en', 'Your app is running'],
  ['/de', 'Ihre App läuft'],
])('the start page %s loads in its language', async (path, heading) => {
  const page = await app.get(path)
  expect(page.status).toBe(200)
  expect(page.html).toContain(heading)
  expect(page.thrown).toEqual([])
})

test('an unknown page has the status 404', async () => {
  expect((await app.get('/de/missing')).status).toBe(404)
})
