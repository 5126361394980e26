/**
 * What the service worker of `@waymark/offline` costs with a network: from a click to the heading of
 * the other page, and to the first paint of a document, with it and without it, in turns.
 *
 *   node offline-cost.mjs [--loads 40]
 */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { clickAndWait, launchBrowser } from './lib/browser.mjs'
import { buildApp, startArgs } from './lib/fixture.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({ options: { loads: { type: 'string', default: '40' } } })
const from = '/'
const path = '/fresh?q=1'
const fixtureDir = fileURLToPath(new URL('./navigation-app/', import.meta.url))
const folder = fileURLToPath(new URL('./dist/offline-cost/', import.meta.url))
const variants = [
  { name: 'without', options: '' },
  { name: 'with', options: '{ offline: true }' },
]

console.log(describeMachine())
const servers = []
const browser = await launchBrowser()
try {
  for (const variant of variants) {
    const cwd = layOut(variant)
    await buildApp(cwd)
    const server = await startServer({ args: startArgs, cwd })
    // One browser for all loads: the worker is there, and has kept the pages.
    const context = await browser.newContext({ baseURL: server.url })
    servers.push({ ...variant, ...server, context, loads: [] })
  }
  for (let at = -5; at < Number(options.loads); at++) {
    for (const server of at % 2 === 0 ? servers : [...servers].reverse()) {
      const load = await measureLoad(await server.context.newPage(), server.name === 'with')
      // The first ones fill caches, and install the worker.
      if (at >= 0) server.loads.push(load)
    }
  }
  const rows = servers.map(({ name, loads }) => ({
    offline: name,
    loads: loads.length,
    ...quartiles(loads, 'documentMs'),
    ...quartiles(loads, 'paintMs'),
    ...quartiles(loads, 'clickMs'),
  }))
  appendResults('offline-cost', rows)
  const columns = ['documentMs', 'paintMs', 'clickMs'].flatMap((key) => [
    ...[key, `${key} 25`, `${key} 75`],
  ])
  printTable(
    ['offline', 'loads', ...columns].map((key) => [key, key]),
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

function quartiles(loads, key) {
  const sorted = loads.map((load) => load[key]).sort((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.floor(sorted.length * share)] * 10) / 10
  return {
    [key]: Math.round(median(sorted) * 10) / 10,
    [`${key} 25`]: at(0.25),
    [`${key} 75`]: at(0.75),
  }
}
