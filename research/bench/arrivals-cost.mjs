/**
 * Measures the cost of `@waymark/arrivals` for a page: the largest contentful paint of a document and
 * the longest interaction. It alternates between builds with and without the package.
 *
 *   node arrivals-cost.mjs [--loads 60] [--slowdown 4]
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inPage, isInteractive, launchBrowser } from './lib/browser.mjs'
import { layOut, reportCost } from './lib/cost.mjs'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { describeMachine } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    loads: { type: 'string', default: '60' },
    slowdown: { type: 'string', default: '4' },
  },
})
const path = '/items?q=abc'
const clicks = 5
const folder = fileURLToPath(new URL('./dist/arrivals-cost/', import.meta.url))
const variants = [
  { name: 'without', listed: null },
  { name: 'with', listed: 'arrivals' },
]

console.log(describeMachine())
const servers = []
const browser = await launchBrowser()
try {
  for (const variant of variants) {
    const cwd = layOut({ folder, fixtureDir, ...variant })
    await buildApp(cwd)
    servers.push({ ...variant, ...(await startServer({ args: startArgs, cwd })), loads: [] })
  }
  for (let at = -3; at < Number(options.loads); at++) {
    for (const server of servers) {
      const load = await inPage(browser, server.url, measureLoad)
      // The first loads fill caches.
      if (at >= 0) server.loads.push(load)
    }
  }
  reportCost(servers, { option: 'arrivals', keys: ['lcpMs', 'inpMs'] })
} finally {
  await browser.close()
  await Promise.all(servers.map(({ stop }) => stop()))
}

/** Opens the page on a slow machine, and clicks at its counter once it is idle. */
async function measureLoad(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(options.slowdown) })
  await page.addInitScript(observe)
  await page.goto(path, { waitUntil: 'load' })
  await page.waitForFunction(isInteractive)
  // The recorder is loaded when the page is idle.
  await page.waitForTimeout(500)
  for (let at = 0; at < clicks; at++) await page.click('button.counter', { delay: 10 })
  await page.waitForTimeout(300)
  return page.evaluate(() => ({ lcpMs: window.lcpMs, inpMs: window.inpMs }))
}

/** Runs in the page, before its scripts. */
function observe() {
  window.lcpMs = 0
  window.inpMs = 0
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.lcpMs = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries()) {
      if (interactionId) window.inpMs = Math.max(window.inpMs, duration)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
}
