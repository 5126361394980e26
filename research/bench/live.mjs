/**
 * Opens many connections of live pages to one process and changes their content. Each page then
 * fetches its data again, as in browsers. Measures memory, processor time, and the time until the
 * change has reached all pages.
 *
 *   node live.mjs [--connections 10000] [--changes 3]
 */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ageOfChange, exchange, openCrowd, percentile } from './lib/crowd.mjs'
import { buildApp, startArgs } from './lib/fixture.mjs'
import { residentBytes } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '3' },
  },
})
const count = Number(options.connections)
const folder = fileURLToPath(new URL('./live-app/', import.meta.url))
const livePath = '/_waymark/live'

console.log(describeMachine())
await buildApp(folder)
/** Requests page data like a browser that knows about a change. */
const fresh = { 'waymark-fresh': '1' }
const isChange = (chunk) => chunk.includes('"changed":[0]')
const rows = []
for (const page of ['shared', 'own']) {
  const server = await startServer({ args: startArgs, cwd: folder, probe: true })
  try {
    rows.push(await measure(server, page))
  } finally {
    await server.stop()
  }
}
appendResults('live', rows)
printTable(
  [
    ['page', 'page'],
    ['connections', 'connections'],
    ['kB each', 'kilobytesEach'],
    ['heap kB each', 'heapKilobytesEach'],
    ['idle CPU %', 'idlePercent'],
    ['told CPU s', 'toldSeconds'],
    ['told all in ms', 'toldAllMs'],
    ['with pages CPU s', 'seconds'],
    ['p50 ms', 'p50Ms'],
    ['p99 ms', 'p99Ms'],
    ['all ms', 'allMs'],
    ['longest other request ms', 'otherMs'],
  ],
  rows,
)

async function measure(server, page) {
  const { url } = server
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const send = (path, init) => exchange(url + path, { agent, ...init })
  const post = () => send('/api/notes', { method: 'POST' })
  await post()
  // Loads and compiles code first.
  for (let at = 0; at < 200; at++) await send(`/_waymark/data/${page}.rsc`, { headers: fresh })
  const sealed = await readSubscription(send, page)
  const before = { resident: residentBytes(server.pid), heap: await server.heapBytes() }
  const crowd = await openCrowd(count, waitFor(url, sealed), isChange)
  await sleep(2_000)
  const perConnection = (now, then) => ((now - then) / count / 1_000).toFixed(1)
  const kilobytesEach = perConnection(residentBytes(server.pid), before.resident)
  const heapKilobytesEach = perConnection(await server.heapBytes(), before.heap)
  const idlePercent = await measureIdle(server)
  const notified = []
  const whole = []
  for (let at = 0; at < Number(options.changes); at++) {
    notified.push(await change({ server, crowd, post }))
    const fetchPage = () => send(`/_waymark/data/${page}.rsc`, { headers: fresh })
    whole.push(await change({ server, crowd, post, send, fetchPage }))
  }
  const of = (runs, key, digits = 0) => Number(median(runs.map((run) => run[key])).toFixed(digits))
  const row = {
    page,
    connections: count,
    kilobytesEach,
    heapKilobytesEach,
    idlePercent,
    toldSeconds: of(notified, 'cpuSeconds', 2),
    toldAllMs: of(notified, 'allMs'),
    seconds: of(whole, 'cpuSeconds', 2),
    p50Ms: of(whole, 'p50Ms'),
    p99Ms: of(whole, 'p99Ms'),
    allMs: of(whole, 'allMs'),
    otherMs: of(whole, 'otherMs'),
  }
  for (const connection of crowd) connection.close()
  agent.destroy()
  return row
}

/** The request that waits for changes. */
function waitFor(url, sealed) {
  const body = JSON.stringify({ pages: [sealed], wait: true })
  const headers = { 'sec-fetch-site': 'same-origin', 'content-length': body.length }
  return { url: url + livePath, method: 'POST', headers, body }
}

/** Reads the subscription that the server has sealed at the end of a page's data. */
async function readSubscription(send, page) {
  const text = await send(`/_waymark/data/${page}.rsc`, { headers: fresh })
  const [, row] = /\b7e000000:(.*)\n/.exec(text) ?? []
  if (!row) throw new Error(`/${page} is not live:\n${text}`)
  return JSON.parse(row)[2]
}

async function measureIdle({ cpuMicroseconds }) {
  const seconds = 20
  const before = await cpuMicroseconds()
  await sleep(seconds * 1_000)
  return Number((((await cpuMicroseconds()) - before) / seconds / 10_000).toFixed(2))
}

/**
 * Changes the board on all pages.
 * @param fetchPage the request of each page after the change; without it, pages are only notified
 */
async function change({ server, crowd, post, send, fetchPage }) {
  const cpuBefore = await server.cpuMicroseconds()
  let isOver = false
  const others = send ? watchOthers(send, () => isOver) : 0
  const ages = await ageOfChange(crowd, post, fetchPage)
  isOver = true
  const cpuSeconds = ((await server.cpuMicroseconds()) - cpuBefore) / 1e6
  const [p50Ms, p99Ms, allMs] = [0.5, 0.99, 1].map((share) => percentile(ages, share))
  return { cpuSeconds, p50Ms, p99Ms, allMs, otherMs: await others }
}

/**
 * Measures how long a visitor waits who opens a page meanwhile.
 * @returns the longest time, in ms
 */
async function watchOthers(send, isOver) {
  let longest = 0
  while (!isOver()) {
    const startedAt = performance.now()
    await send('/', { agent: undefined })
    longest = Math.max(longest, performance.now() - startedAt)
    await sleep(50)
  }
  return longest
}
