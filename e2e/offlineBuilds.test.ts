import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  ageLine,
  cachedPaths,
  leftOfOffline,
  see,
  seeAndLeave,
  startOfflineApp,
} from './harness/offlineApp.ts'
import { openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

const next = {
  'app/read/page.tsx': `import { Counter } from '../counter.tsx'
export default () => <><h1>Read anew</h1><Counter /></>
`,
}
const without = {
  'vite.config.ts': `import { waymark } from 'waymark/vite'
export default { plugins: [waymark()] }
`,
}

/** Returns the ids of the builds that have cached pages. */
function cachedBuilds(page: Page): Promise<string[]> {
  return page.evaluate(() => caches.keys())
}

test('a new build keeps the cached pages of the previous build, and does not affect its open tab', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await seeAndLeave(page, '/read')
  const [former] = await cachedBuilds(page)
  await app.end()
  await app.again(next)
  const tab = await page.context().newPage()
  await tab.goto('/pictures')
  await expect.poll(() => cachedBuilds(tab).then((all) => all.length)).toBe(2)
  const copies = async () => (await cachedPaths(tab)).filter((path) => path === '/read').length
  await expect.poll(copies).toBe(2)
  await app.end()

  // The old tab must show pages of its own build, and the new tab pages of the new build.
  await page.getByRole('link', { name: '/read' }).click()
  await heading(page, 'Read').waitFor()
  await page.getByRole('button', { name: 'Counted 0' }).click()
  await page.getByRole('button', { name: 'Counted 1' }).waitFor()
  await tab.goto('/read')
  await heading(tab, 'Read anew').waitFor()
  await tab.getByRole('button', { name: 'Counted 0' }).click()
  await tab.getByRole('button', { name: 'Counted 1' }).waitFor()

  // Once the old build has no open tab, its pages are deleted.
  await app.again(next)
  await page.close()
  await tab.goto('/write')
  await expect.poll(() => cachedBuilds(tab)).not.toContain(former)
})

test('a rollback to the previous build restores its pages, even without a network', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await see(page, '/read')
  await app.end()
  await app.again(next)
  await page.goto('/read')
  await heading(page, 'Read anew').waitFor()
  const copies = async () => (await cachedPaths(page)).filter((path) => path === '/read').length
  await expect.poll(copies).toBeGreaterThan(0)
  await app.end()
  await app.again()
  await page.goto('/read')
  await heading(page, 'Read').waitFor()
  await see(page, '/pictures')
  await app.end()
  await page.goto('/read')
  await heading(page, 'Read').waitFor()
  await ageLine(page).waitFor()
  await page.getByRole('button', { name: 'Counted 0' }).click()
  await page.getByRole('button', { name: 'Counted 1' }).waitFor()
})

test('an app without the package removes the worker and all its data', async () => {
  const app = await startOfflineApp()
  const { page, expectQuietConsole } = await openPage(app)
  await see(page, '/read')
  // Create a cache that belongs to an app at a different path of the same origin.
  const other = 'waymark-offline%2Fother/b'
  await page.evaluate((name) => caches.open(name), other)
  await app.end()
  await app.again(without)
  await page.goto('/')
  const left = () => leftOfOffline(page)
  await expect.poll(left).toEqual({ caches: [other], workers: 0 })
  await page.goto('/read')
  await heading(page, 'Read').waitFor()
  expectQuietConsole()
})

test('at the limit, the oldest pages are deleted', async () => {
  const app = await startOfflineApp({
    'vite.config.ts': `import { offline } from '@waymark/offline/vite'
import { waymark } from 'waymark/vite'
export default { plugins: [waymark(), offline({ maxMegabytes: 0.6 })] }
`,
    'app/many/[at]/page.tsx': `export const generateStaticParams = () =>
  Array.from({ length: 8 }, (_, at) => ({ at: String(at) }))
export default () => <><h1>Many</h1><p>{'text '.repeat(8000)}</p></>
`,
  })
  const { page, expectQuietConsole } = await openPage(app)
  for (let at = 0; at < 8; at++) await see(page, `/many/${at}`)
  const paths = await cachedPaths(page)
  expect(paths).toContain('/many/7')
  expect(paths).not.toContain('/many/0')
  expectQuietConsole()
})
