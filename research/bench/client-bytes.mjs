/**
 * Measures the JavaScript that each page of the fixture loads in a browser that is never idle, and
 * the floor for an interactive page: `react-dom/client` with the Flight decoder, bundled by the
 * same Vite.
 *
 *   node client-bytes.mjs [--url http://127.0.0.1:3000 --path / --path /guide]
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { chromium as systemChromium } from '../../scripts/workspace/systemTools.mjs'
import { pages } from './cases.mjs'
import { buildFloors, outDir } from './floors/build.mjs'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { appendResults, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: { url: { type: 'string' }, path: { type: 'string', multiple: true } },
})
const paths = options.path ?? pages.map((page) => page.path)
// The bytes that the framework may add to the floor of an interactive page, and the bytes that a page
// without client components may load.
const allowed = { overFloor: 10, plain: 6 }

await buildFloors()
const floor = { page: 'floor', files: 1, ...sizes([readFileSync(`${outDir}client.js`)]) }
const rows = [floor, ...(options.url ? await measure(options.url) : await measureFixture())].map(
  (row) => ({ ...row, brotliOverFloor: row.brotli - floor.brotli }),
)
appendResults('client-bytes', rows)
printTable(
  [
    ['page', 'page'],
    ['files', 'files'],
    ['raw kB', (row) => kilobytes(row.raw)],
    ['gzip kB', (row) => kilobytes(row.gzip)],
    ['brotli kB', (row) => kilobytes(row.brotli)],
    ['over floor kB', (row) => kilobytes(row.brotliOverFloor)],
    ['inline kB', (row) => (row.inline === undefined ? '' : kilobytes(row.inline))],
  ],
  rows,
)
console.log(
  `to reach, brotli: at most ${allowed.overFloor} kB over the floor; without client components ` +
    `at most ${allowed.plain} kB`,
)

async function measureFixture() {
  await buildApp(fixtureDir)
  const server = await startServer({ args: startArgs, cwd: fixtureDir })
  try {
    return await measure(server.url)
  } finally {
    await server.stop()
  }
}

async function measure(url) {
  const executablePath = systemChromium.find()
  if (executablePath === null) throw new Error(systemChromium.hint())
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false })
  try {
    const rows = []
    for (const path of paths) rows.push(await measurePage(browser, url, path))
    return rows
  } finally {
    await browser.close()
  }
}

// Each page has its own context, so that nothing comes from a cache that another page has filled.
async function measurePage(browser, url, path) {
  const context = await browser.newContext()
  const page = await context.newPage()
  // Code that loads when the page is idle is not counted, because the page does not need it.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  const bodies = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body())
  })
  await page.goto(url + path, { waitUntil: 'networkidle' })
  await checkCounter(page)
  const inline = await page.evaluate(() =>
    [...document.querySelectorAll('script:not([src]):not([type="text/x-component"])')].reduce(
      (total, script) => total + script.textContent.length,
      0,
    ),
  )
  const files = await Promise.all(bodies)
  await context.close()
  return { page: path, files: files.length, ...sizes(files), inline }
}

// A page that does not become interactive has not loaded the code that it needs.
async function checkCounter(page) {
  const counter = page.locator('button.counter')
  if ((await counter.count()) === 0) return
  await counter.click()
  await page.getByText('Count 1').waitFor({ timeout: 5000 })
}

/** Each file is compressed separately, as a server sends it. */
function sizes(files) {
  const sum = (sizeOf) => files.reduce((total, file) => total + sizeOf(file), 0)
  return {
    raw: sum((file) => file.length),
    gzip: sum((file) => gzipSync(file, { level: 9 }).length),
    brotli: sum((file) => brotliCompressSync(file).length),
  }
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1)
}
