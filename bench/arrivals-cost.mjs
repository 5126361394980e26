/**
 * What `@waymark/arrivals` costs a page: largest contentful paint of a document, and the longest
 * interaction, with it and without it, in turns.
 *
 *   node arrivals-cost.mjs [--loads 60] [--slowdown 4]
 */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inPage, isInteractive, launchBrowser } from './lib/browser.mjs'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
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
  { name: 'without', options: '' },
  { name: 'with', options: '{ arrivals: true }' },
]

console.log(describeMachine())
const servers = []
const browser = await launchBrowser()
try {
  for (const variant of variants) {
    const cwd = layOut(variant)
    await buildApp(cwd)
    servers.push({ ...variant, ...(await startServer({ args: startArgs, cwd })), loads: [] })
  }
  for (let at = -3; at < Number(options.loads); at++) {
    for (const server of servers) {
      const load = await inPage(browser, server.url, measureLoad)
      // The first ones fill caches.
      if (at >= 0) server.loads.push(load)
    }
  }
  const rows = servers.map(({ name, loads }) => ({
    arrivals: name,
    loads: loads.length,
    ...quartiles(loads, 'lcpMs'),
    ...quartiles(loads, 'inpMs'),
  }))
  appendResults('arrivals-cost', rows)
  printTable(
    ['arrivals', 'loads', 'lcpMs', 'lcpMs 25', 'lcpMs 75', 'inpMs', 'inpMs 25', 'inpMs 75'].map(
      (key) => [key, key],
    ),
    rows,
  )
} finally {
  await browser.close()
  await Promise.all(servers.map(({ stop }) => stop()))
}

function layOut({ name, options }) {
  const cwd = join(folder, name)
  rmSync(cwd, { recursive: true, force: true })
  mkdirSync(cwd, { recursive: true })
  const isMade = (file) => /(?:^|\/)(?:\.waymark|node_modules)$/.test(file)
  cpSync(fixtureDir, cwd, {
    recursive: true,
    filter: (file) => !isMade(file.slice(fixtureDir.length)),
  })
  // The fixture's files take their pages from a folder beside it.
  rmSync(join(folder, 'pages'), { force: true })
  symlinkSync(fileURLToPath(new URL('./pages/', import.meta.url)), join(folder, 'pages'), 'dir')
  writeFileSync(
    join(cwd, 'vite.config.ts'),
    `import { waymark } from 'waymark/vite'\nexport default { plugins: [waymark(${options})] }\n`,
  )
  return cwd
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

function quartiles(loads, key) {
  const sorted = loads.map((load) => load[key]).sort((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.floor(sorted.length * share)])
  return { [key]: Math.round(median(sorted)), [`${key} 25`]: at(0.25), [`${key} 75`]: at(0.75) }
}
