/**
 * Measures navigations in a browser, from the click until the heading of a page with 100 items is
 * painted. The page is prefetched or not. On a connection with 150 ms more latency, it also measures
 * a page with its own code, with and without a hover before the click. Then it measures how much page
 * data a shared layout saves, and the cost of 500 links.
 *
 *   node navigation.mjs [--rounds 20]
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  clickAndWait,
  inPage as inPageOf,
  isInteractive,
  launchBrowser,
  slowDown,
} from './lib/browser.mjs'
import { buildApp, startArgs } from './lib/fixture.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({ options: { rounds: { type: 'string' } } })
const rounds = Number(options.rounds ?? 20)
const cwd = fileURLToPath(new URL('./navigation-app/', import.meta.url))
const latencyMs = 150

console.log(describeMachine())
await buildApp(cwd)
const server = await startServer({ args: startArgs, cwd })
const browser = await launchBrowser()
try {
  const rows = [...(await clicks()), await sharedLayout(), ...(await manyLinks())]
  appendResults('navigation', rows)
  printTable(
    [
      ['what', 'what'],
      ['measured', 'measured'],
      ['to reach', 'toReach'],
    ],
    rows,
  )
} finally {
  await browser.close()
  await server.stop()
}

/** Measures the kinds of clicks alternately, so that a busy moment affects all of them. */
async function clicks() {
  const kinds = [
    { what: 'fetched ahead, ms', path: '/prefetched', toReach: 50 },
    { what: 'not fetched ahead, ms', path: '/fresh?q=1', toReach: 120 },
    {
      what: `not fetched ahead, line of ${latencyMs} ms, ms`,
      path: '/fresh?q=1',
      toReach: 1.3 * latencyMs + 60,
      delayMs: latencyMs,
    },
    {
      what: `code of its own, line of ${latencyMs} ms, ms`,
      path: '/own?q=1',
      toReach: latencyMs + 50,
      delayMs: latencyMs,
    },
    ...[100, 300].map((hoverMs) => ({
      what: `code of its own, line of ${latencyMs} ms, hovered for ${hoverMs} ms, ms`,
      path: '/own?q=1',
      toReach: Math.max(latencyMs - hoverMs, 0) + 50,
      delayMs: latencyMs,
      hoverMs,
    })),
  ]
  const times = kinds.map(() => [])
  // The first click of each kind is not counted, because the server compiles its code.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, kind] of kinds.entries()) {
      const ms = await clickMs(kind)
      if (round > 0) times[index].push(ms)
    }
  }
  return kinds.map(({ what, toReach }, index) => ({
    what,
    rounds,
    measured: Number(median(times[index]).toFixed(1)),
    worst: Number(Math.max(...times[index]).toFixed(1)),
    toReach,
  }))
}

/** Measures one navigation, in a new document and browser context. */
async function clickMs({ path, delayMs = 0, hoverMs = 0 }) {
  return inPage(async (page) => {
    const prefetch = page.waitForResponse((response) =>
      response.url().includes('/data/prefetched.rsc'),
    )
    await page.goto('/')
    await (await prefetch).finished()
    await page.waitForFunction(isInteractive)
    await page.waitForLoadState('networkidle')
    if (delayMs > 0) await slowDown(page, delayMs)
    if (hoverMs > 0) {
      await page.hover(`a[href="${path}"]`)
      await page.waitForTimeout(hoverMs)
    }
    return page.evaluate(clickAndWait, path)
  })
}

/**
 * Measures page data with and without the layouts that two pages share, as the browser requests it.
 */
async function sharedLayout() {
  const held = await inPage(async (page) => {
    await page.goto('/shelf/1')
    await page.waitForFunction(isInteractive)
    const dataRequest = page.waitForRequest((request) =>
      request.url().includes('/data/shelf/2.rsc'),
    )
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: '/shelf/2' })
      link.dataset.prefetch = 'false'
      document.body.append(link)
      link.click()
    })
    return (await (await dataRequest).allHeaders())['waymark-mounted']
  })
  const shared = await dataBytes('/shelf/2', { 'waymark-mounted': held })
  const whole = await dataBytes('/shelf/2')
  const measured = Number((shared / whole).toFixed(3))
  // The page itself is only a heading, so nearly all bytes belong to the layouts.
  return { what: 'data with a shared layout, of all of it', whole, shared, measured, toReach: 0.1 }
}

async function dataBytes(path, headers = {}) {
  const response = await fetch(`${server.url}/_waymark/data${path}.rsc`, { headers })
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`)
  return (await response.arrayBuffer()).byteLength
}

/** Compares the page of 500 links with the same page without links. */
async function manyLinks() {
  const links = []
  const text = []
  for (let round = 0; round < Math.min(rounds, 5); round++) {
    links.push(await longTasksOf('/many'))
    text.push(await longTasksOf('/many?as=text'))
  }
  const [withLinks, without] = [links, text].map((runs) =>
    median(runs.map(({ longestMs }) => longestMs)),
  )
  const prefetches = Math.max(...links.map((run) => run.prefetches))
  const extra = Number(Math.max(0, withLinks - without).toFixed(1))
  return [
    { what: 'prefetches of a page with 500 links', measured: prefetches, toReach: 24 },
    {
      what: 'longest task with 500 links, ms over without',
      withLinks,
      without,
      measured: extra,
      toReach: 50,
    },
  ]
}

async function longTasksOf(path) {
  return inPage(async (page) => {
    let prefetches = 0
    page.on('request', (request) => {
      if ('waymark-prefetch' in request.headers()) prefetches++
    })
    await page.addInitScript(() => {
      window.longestMs = 0
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) {
          window.longestMs = Math.max(window.longestMs, duration)
        }
      }).observe({ type: 'longtask', buffered: true })
    })
    await page.goto(path)
    await page.waitForFunction(isInteractive)
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.waitForTimeout(500)
    return { prefetches, longestMs: await page.evaluate(() => window.longestMs) }
  })
}

function inPage(act) {
  return inPageOf(browser, server.url, act)
}
