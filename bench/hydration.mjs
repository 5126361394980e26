/**
 * Measures the long tasks of a page with 1,000 host elements and one client component, from its
 * navigation until React has taken it over and the browser is at rest.
 *
 *   node hydration.mjs [--rounds 7] [--slowdown 4] [--path /elements]
 */
import { parseArgs } from 'node:util'
import { inPage, isInteractive, launchBrowser } from './lib/browser.mjs'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    slowdown: { type: 'string', default: '4' },
    path: { type: 'string', default: '/elements' },
  },
})

console.log(describeMachine())
await buildApp(fixtureDir)
// The browser has the other cores.
const server = await startServer({ args: startArgs, cwd: fixtureDir })
const browser = await launchBrowser()
const rounds = []
try {
  for (let round = 0; round < Number(options.rounds); round++) rounds.push(await measure())
} finally {
  await browser.close()
  await server.stop()
}
const row = {
  path: options.path,
  slowdown: Number(options.slowdown),
  rounds: rounds.length,
  elements: rounds[0].elements,
  interactiveMs: median(rounds.map(({ interactiveMs }) => interactiveMs)),
  longTasks: median(rounds.map(({ tasks }) => tasks.length)),
  longestMs: median(rounds.map(({ tasks }) => Math.max(0, ...tasks))),
  blockingMs: median(rounds.map(({ tasks }) => tasks.reduce((sum, ms) => sum + ms - 50, 0))),
}
appendResults('hydration', [row])
printTable(
  [
    ['page', 'path'],
    ['elements', 'elements'],
    ['CPU slowed', 'slowdown'],
    ['interactive ms', ({ interactiveMs }) => Math.round(interactiveMs)],
    ['long tasks', 'longTasks'],
    ['longest ms', ({ longestMs }) => Math.round(longestMs)],
    ['blocking ms', ({ blockingMs }) => Math.round(blockingMs)],
  ],
  [row],
)

async function measure() {
  return inPage(browser, server.url, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: Number(options.slowdown) })
    await page.addInitScript(() => {
      window.longTasks = []
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longTasks.push(duration)
      }).observe({ type: 'longtask', buffered: true })
    })
    await page.goto(options.path)
    await page.waitForFunction(isInteractive)
    const interactiveMs = await page.evaluate(() => performance.now())
    await page.waitForLoadState('networkidle')
    return page.evaluate(
      (interactiveMs) => ({
        interactiveMs,
        tasks: window.longTasks,
        elements: document.querySelectorAll('article *').length,
      }),
      interactiveMs,
    )
  })
}
