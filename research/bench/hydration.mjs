/**
 * Measures the long tasks of a page with 1,000 host elements and one client component, from its
 * navigation until React has hydrated it and the browser is idle. The floor is the same page without
 * its script files.
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
// The browser runs on the other cores.
const server = await startServer({ args: startArgs, cwd: fixtureDir })
const browser = await launchBrowser()
const rounds = { page: [], floor: [] }
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    rounds.page.push(await measure(true))
    rounds.floor.push(await measure(false))
  }
} finally {
  await browser.close()
  await server.stop()
}
const rows = [rowOf('with its scripts', rounds.page), rowOf('without', rounds.floor)]
appendResults('hydration', rows)
printTable(
  [
    ['page', 'path'],
    ['', 'kind'],
    ['elements', 'elements'],
    ['CPU slowed', 'slowdown'],
    ['ready ms', ({ interactiveMs }) => Math.round(interactiveMs)],
    ['long tasks', 'longTasks'],
    ['longest ms', ({ longestMs }) => Math.round(longestMs)],
    ['blocking ms', ({ blockingMs }) => Math.round(blockingMs)],
  ],
  rows,
)

function rowOf(kind, rounds) {
  const longestOf = ({ tasks }) => Math.max(0, ...tasks)
  const blockingOf = ({ tasks }) => tasks.reduce((sum, ms) => sum + ms - 50, 0)
  return {
    path: options.path,
    kind,
    slowdown: Number(options.slowdown),
    rounds: rounds.length,
    elements: rounds[0].elements,
    interactiveMs: median(rounds.map(({ interactiveMs }) => interactiveMs)),
    longTasks: median(rounds.map(({ tasks }) => tasks.length)),
    longestMs: median(rounds.map(longestOf)),
    blockingMs: median(rounds.map(blockingOf)),
  }
}

async function measure(hasScripts) {
  return inPage(browser, server.url, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: Number(options.slowdown) })
    await page.addInitScript(() => {
      window.longTasks = []
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longTasks.push(duration)
      }).observe({ type: 'longtask', buffered: true })
    })
    if (!hasScripts) await page.route('**/*.js', (route) => route.abort())
    await page.goto(options.path)
    if (hasScripts) await page.waitForFunction(isInteractive)
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
