/**
 * Measures requests per second, CPU, memory and bytes of the compared frameworks' pages, after it has
 * checked that each page has the same content.
 */
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { countedOnce, inPage } from '../lib/browser.mjs'
import { load } from '../lib/load.mjs'
import { cpuMicroseconds, residentBytes } from '../lib/process.mjs'
import { median } from '../lib/report.mjs'

// A server may cache its response for a URL. With this script, each request has a different query.
const eachQuery = [fileURLToPath(new URL('../lib/eachQuery.lua', import.meta.url))]
const clickTimeoutMs = 30_000
const leastRequests = 30

/**
 * `path` is requested as it is, or with another query each time if `byVisitor` is set. `link` is a
 * link on the page `/links` instead: the measured request is the one that a click on it sends.
 * `shows` is a text of the page, and `counts` says how often a response contains what.
 */
const pages = [
  { page: 'static', path: '/', shows: /A static page/ },
  { page: 'unmatched URL', path: '/none', status: 404, shows: /not found|could not be found/i },
  { page: 'small', path: '/small', byVisitor: true, shows: /A small dynamic page/ },
  {
    page: 'items, the same for everybody',
    path: '/items?q=same',
    shows: /A page with 100 items/,
    counts: { items: 100, elements: ['li', 100] },
  },
  {
    page: 'items, a text by visitor',
    path: '/items',
    byVisitor: true,
    shows: /A page with 100 items/,
    counts: { items: 100, elements: ['li', 100], texts: 101 },
  },
  {
    page: 'rows',
    path: '/rows',
    byVisitor: true,
    shows: /A table of 1,000 rows/,
    counts: { uuids: 2000, elements: ['tr', 1000] },
  },
  {
    page: 'rows, a client component',
    path: '/client-rows',
    byVisitor: true,
    shows: /A client table of 1,000 rows/,
    counts: { uuids: 2000, elements: ['tr', 1000] },
  },
  {
    page: 'page data of items',
    link: '/items?q=visitor',
    byVisitor: true,
    shows: /Item number 100\b/,
    counts: { items: 100 },
  },
  {
    page: 'page data of rows',
    link: '/rows?q=visitor',
    byVisitor: true,
    shows: /[0-9a-f]{8}-/,
    // Waymark's page data has frames, which split some of the texts.
    counts: { uuids: 1990 },
  },
]

/** Measures each page. Rounds are interleaved, so that a slow period affects all servers. */
export async function measurePages(running, browser, { seconds, rounds }) {
  const targets = await checkPages(running, browser)
  const rows = []
  for (const { page } of pages) {
    const measured = targets.filter((target) => target.page === page)
    for (const target of measured) await warmUp(target, 2.5 * seconds)
    for (let round = 0; round < rounds; round++) {
      for (const target of measured) target.samples.push(await sample(target, seconds))
    }
    for (const target of measured) {
      rows.push({ page, rounds, seconds, ...summary(target, measured) })
    }
  }
  return rows
}

/**
 * Checks every page of every framework, so that a mistake in an app ends the run before it measures.
 * @returns what to request, and the text of a response
 * @throws with all differences
 */
export async function checkPages(running, browser) {
  const targets = []
  const problems = []
  for (const server of running) {
    for (const expected of pages) {
      try {
        const request = expected.link
          ? await findData(server, browser, expected)
          : { path: expected.path, headers: {} }
        const text = await checkResponse(server, request, expected)
        targets.push({ server, ...expected, ...request, text, samples: [] })
      } catch (error) {
        problems.push(`${server.name}, ${expected.page}: ${error.message}`)
      }
    }
    await checkHandlers(server, browser).catch((error) => {
      problems.push(`${server.name}, clicks on pages: ${error.message}`)
    })
  }
  if (problems.length > 0) throw new Error(`Pages differ:\n${problems.join('\n')}`)
  return targets
}

/** Returns the request that a browser sends for the page data after a click on a link. */
async function findData(server, browser, expected) {
  const sent = await inPage(browser, server.url, async (page) => {
    page.setDefaultTimeout(clickTimeoutMs)
    await page.goto('/links')
    await page.waitForFunction(countedOnce, null, { polling: 50 })
    await page.waitForLoadState('networkidle')
    const requests = []
    page.on('request', (request) => requests.push(request))
    await page.click(`a[href="${expected.link}"]`)
    await page.getByText('The query says: visitor', { exact: true }).waitFor()
    return Promise.all(requests.map(readRequest))
  })
  // Chromium does not keep the text of each response, so the requests are sent again.
  for (const request of sent.filter(({ path }) => path.includes('visitor'))) {
    const text = await (await fetch(server.url + request.path, request)).text()
    if (expected.shows.test(text)) return request
  }
  const paths = sent.map(({ path }) => path).join(', ')
  throw new Error(`no request after a click returns the data. Requests: ${paths}`)
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

async function checkResponse(
  server,
  { path, headers },
  { byVisitor, status = 200, shows, counts },
) {
  const visitors = byVisitor ? ['visitor1', 'visitor2'] : ['']
  const texts = []
  for (const visitor of visitors) {
    const response = await fetch(server.url + withQuery(path, visitor), { headers })
    const text = await response.text()
    const start = JSON.stringify(text.slice(0, 200))
    if (response.status !== status) throw new Error(`status ${response.status}: ${start}`)
    if (!shows.test(text)) throw new Error(`no text ${shows}: ${start}`)
    checkCounts(text, visitor, counts)
    texts.push(text)
  }
  if (byVisitor && texts[1].includes(visitors[0])) {
    throw new Error(`the response for ${visitors[1]} contains ${visitors[0]}`)
  }
  return texts[0]
}

// As `eachQuery.lua` does.
function withQuery(path, visitor) {
  if (visitor === '') return path
  return path.includes('visitor') ? path.replaceAll('visitor', visitor) : `${path}?q=${visitor}`
}

function checkCounts(text, visitor, { items = 0, uuids = 0, elements, texts = 1 } = {}) {
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
  const found = {
    items: new Set(text.match(/Item number \d+/g)).size,
    uuids: new Set(text.match(uuid)).size,
  }
  if (found.items < items) throw new Error(`${found.items} of ${items} items`)
  if (found.uuids < uuids) throw new Error(`${found.uuids} of ${uuids} UUIDs`)
  if (elements) {
    const [name, count] = elements
    const written = text.match(new RegExp(`<${name}[ >]`, 'g'))?.length ?? 0
    if (written !== count) throw new Error(`${written} elements <${name}> instead of ${count}`)
  }
  const times = visitor === '' ? texts : text.split(visitor).length - 1
  if (times < texts) throw new Error(`the query appears ${times} times instead of ${texts}`)
}

/** Clicks the counter and a row, so that a page without its client code isn't measured. */
function checkHandlers({ url }, browser) {
  return inPage(browser, url, async (page) => {
    page.setDefaultTimeout(clickTimeoutMs)
    for (const path of ['/small?q=1', '/items?q=1', '/rows?q=1']) {
      await page.goto(path)
      await page.waitForFunction(countedOnce, null, { polling: 50 })
    }
    await page.goto('/client-rows?q=1')
    await page.waitForFunction(selectedRow, null, { polling: 50 })
  })
}

/** Clicks the last row until it is highlighted. Runs in the page. */
function selectedRow() {
  const row = document.querySelector('tr:last-child')
  row?.click()
  return row?.classList.contains('selected') === true
}

// Runs until the JIT has settled. With a fixed time, slow servers would stay cold.
async function warmUp(target, mostSeconds) {
  let requests = 0
  for (let tries = 0; tries < mostSeconds && requests < 4000; tries++) {
    requests += (await request(target, 1)).requests
  }
}

function request({ server, path, headers, byVisitor }, seconds) {
  return load(server.url + path, seconds, undefined, headers, byVisitor ? eachQuery : [])
}

async function sample(target, seconds) {
  const { server, page, status = 200 } = target
  const before = cpuMicroseconds(server.pid)
  let requests = 0
  let repetitions = 0
  // On a busy machine, a slow page may get hardly any responses in a second.
  while (requests < leastRequests) {
    if (repetitions++ === 20) throw new Error(`${server.name}, ${page}: ${requests} responses`)
    const { badStatus, socketErrors, ...loaded } = await request(target, seconds)
    const wrong = status === 200 ? badStatus : loaded.requests - badStatus
    if (socketErrors) throw new Error(`${server.name}, ${page}: ${socketErrors}`)
    if (wrong > 0) throw new Error(`${server.name}, ${page}: ${wrong} responses without ${status}`)
    requests += loaded.requests
  }
  const cpuMs = (cpuMicroseconds(server.pid) - before) / 1000 / requests
  const perSecond = requests / (repetitions * seconds)
  return { perSecond, cpuMs, rssMb: residentBytes(server.pid) / 2 ** 20 }
}

function summary({ server, text, samples }, measured) {
  const of = (key) => samples.map((each) => each[key])
  return {
    server: server.name,
    perSecond: Math.round(median(of('perSecond'))),
    cpuMs: range(of('cpuMs')),
    ...ratios(samples, measured),
    bytes: Buffer.byteLength(text),
    brotli: brotliCompressSync(text).byteLength,
    rssMb: Math.round(Math.max(...of('rssMb'))),
  }
}

/** CPU time over that of Waymark in the same round, without and with speedups. */
function ratios(samples, measured) {
  const over = (name) => {
    const base = measured.find(({ server }) => server.name === name)
    return base && range(samples.map(({ cpuMs }, round) => cpuMs / base.samples[round].cpuMs))
  }
  return { ofWaymark: over('Waymark'), ofSpeedups: over('Waymark, speedups') }
}

function range(values) {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(
    (value) => Number(value.toPrecision(3)),
  )
  return { median: middle, least, most }
}
