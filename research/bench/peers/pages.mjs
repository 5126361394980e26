/** Measures requests per second, CPU, memory and bytes of the compared frameworks' pages. */
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { inPage, isInteractive } from '../lib/browser.mjs'
import { load } from '../lib/load.mjs'
import { cpuMicroseconds, residentBytes } from '../lib/process.mjs'
import { median } from '../lib/report.mjs'

const lastItem = 'Item number 100'
// A server may cache its response for a URL, so each request has a different query.
const eachQuery = [fileURLToPath(new URL('../lib/eachQuery.lua', import.meta.url))]
const pages = [
  { page: 'static', path: '/', shows: 'A static page' },
  { page: 'unmatched URL', path: '/none', status: 404, shows: '' },
  { page: 'small', path: '/small?q=1', shows: 'A small dynamic page' },
  {
    page: 'small, each its query',
    path: '/small',
    shows: 'A small dynamic page',
    script: eachQuery,
  },
  { page: 'items', path: '/items?q=1', shows: lastItem },
  { page: 'items, each its query', path: '/items', shows: lastItem, script: eachQuery },
  { page: 'data of items', shows: lastItem },
]

/** Measures each page. Rounds are interleaved, so that a slow period affects all servers. */
export async function measurePages(running, browser, { seconds, rounds }) {
  const rows = []
  for (const { page, path, status = 200, shows, script } of pages) {
    const targets = []
    for (const server of running) {
      const target = path ? { path, headers: {} } : await findData(server, browser)
      const text = await readBody(server, target, { status, shows })
      targets.push({ server, ...target, text, script, samples: [] })
      await warmUp(server.url + target.path, { ...target, script }, 2.5 * seconds)
    }
    for (let round = 0; round < rounds; round++) {
      for (const target of targets) target.samples.push(await sample(target, seconds))
    }
    rows.push(...targets.map((target) => ({ page, rounds, seconds, ...summary(target) })))
  }
  return rows
}

/**
 * Returns the request with which a browser fetches the data of the items page after a click. Chromium
 * does not keep the text of each response, so the requests are sent again.
 */
async function findData(server, browser) {
  const sent = await inPage(browser, server.url, async (page) => {
    await page.goto('/start')
    await page.waitForFunction(isInteractive)
    await page.waitForLoadState('networkidle')
    const requests = []
    page.on('request', (request) => requests.push(request))
    await page.click('a[href="/items?q=1"]')
    await page.getByText(lastItem, { exact: true }).waitFor()
    return Promise.all(requests.map(readRequest))
  })
  for (const target of sent) {
    const text = await (await fetch(server.url + target.path, target)).text()
    if (text.includes(lastItem)) return target
  }
  throw new Error(`${server.name} sent no data after a click.`)
}

async function readRequest(request) {
  const { pathname, search } = new URL(request.url())
  // Headers that are the same for each server, or that belong to a single connection.
  const left = /^(:|sec-ch-|accept-|user-agent|connection|host|cookie|if-|cache-|pragma)/
  const all = Object.entries(request.headers())
  return {
    path: pathname + search,
    headers: Object.fromEntries(all.filter(([name]) => !left.test(name))),
  }
}

async function readBody(server, { path, headers }, { status, shows }) {
  const response = await fetch(server.url + path, { headers })
  const text = await response.text()
  if (response.status === status && text.includes(shows)) return text
  throw new Error(`${server.name} answers ${path} with ${response.status}: ${text.slice(0, 300)}`)
}

// Runs until the JIT has settled. With a fixed time, slow servers would stay cold.
async function warmUp(url, { headers, script }, mostSeconds) {
  let requests = 0
  for (let tries = 0; tries < mostSeconds && requests < 4000; tries++) {
    requests += (await load(url, 1, undefined, headers, script)).requests
  }
}

async function sample({ server, path, headers, script }, seconds) {
  const before = cpuMicroseconds(server.pid)
  const { requests, perSecond, socketErrors } = await load(
    server.url + path,
    seconds,
    undefined,
    headers,
    script,
  )
  if (socketErrors) throw new Error(`${server.name} ${path}: ${socketErrors}`)
  const cpuMs = (cpuMicroseconds(server.pid) - before) / 1000 / requests
  return { perSecond, cpuMs, rssMb: residentBytes(server.pid) / 2 ** 20 }
}

function summary({ server, text, samples }) {
  const middle = (key) => median(samples.map((each) => each[key]))
  return {
    server: server.name,
    perSecond: Math.round(middle('perSecond')),
    cpuMs: Number(middle('cpuMs').toPrecision(2)),
    bytes: Buffer.byteLength(text),
    brotli: brotliCompressSync(text).byteLength,
    rssMb: Math.round(Math.max(...samples.map(({ rssMb }) => rssMb))),
  }
}
