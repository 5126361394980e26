/**
 * Measures the cost of the service worker of `@waymark/offline` with a network: from a click to the
 * heading of the next page, and to the first paint of a document. It alternates between builds with
 * and without the worker.
 *
 *   node offline-cost.mjs [--loads 40]
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { clickAndWait, launchBrowser } from './lib/browser.mjs'
import { layOut, reportCost } from './lib/cost.mjs'
import { buildApp, startArgs } from './lib/fixture.mjs'
import { describeMachine } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({ options: { loads: { type: 'string', default: '40' } } })
const from = '/'
const path = '/fresh?q=1'
const fixtureDir = fileURLToPath(new URL('./navigation-app/', import.meta.url))
const folder = fileURLToPath(new URL('./dist/offline-cost/', import.meta.url))
const variants = [
  { name: 'without', listed: null },
  { name: 'with', listed: 'offline' },
]

console.log(describeMachine())
const servers = []
const browser = await launchBrowser()
try {
  for (const variant of variants) {
    const cwd = layOut({ folder, fixtureDir, ...variant })
    await buildApp(cwd)
    const server = await startServer({ args: startArgs, cwd })
    // One browser for all loads, in which the worker is installed and has cached the pages.
    const context = await browser.newContext({ baseURL: server.url })
    servers.push({ ...variant, ...server, context, loads: [] })
  }
  for (let at = -5; at < Number(options.loads); at++) {
    for (const server of at % 2 === 0 ? servers : [...servers].reverse()) {
      const load = await measureLoad(await server.context.newPage(), server.name === 'with')
      // The first loads fill caches, and install the worker.
      if (at >= 0) server.loads.push(load)
    }
  }
  reportCost(servers, { option: 'offline', keys: ['documentMs', 'paintMs', 'clickMs'], digits: 1 })
} finally {
  await browser.close()
  await Promise.all(servers.map(({ stop }) => stop()))
}

/** Opens a page, and clicks a link on it once it is idle. */
async function measureLoad(page, hasWorker) {
  await page.goto(from, { waitUntil: 'load' })
  if (hasWorker) await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.waitForTimeout(400)
  const document = await page.evaluate(() => ({
    documentMs: performance.getEntriesByType('navigation')[0].responseEnd,
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }))
  const clickMs = await page.evaluate(clickAndWait, path)
  await page.close()
  return { ...document, clickMs }
}
