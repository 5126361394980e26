/**
 * Puts a mixed load on one server for some minutes, and checks if its memory use stays flat.
 *
 *   node mixed-soak.mjs [--minutes 10] [--clients 24] [--filled 11000]
 */
import { Agent, request as send } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { residentBytes } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string' },
    clients: { type: 'string' },
    filled: { type: 'string' },
  },
})
const minutes = Number(options.minutes ?? 10)
const clients = Number(options.clients ?? 24)
// A server caches 10,000 pages. With more pages at the start, the limit is already reached.
const filled = Number(options.filled ?? 11_000)
const looks = 30
// The first part of the run includes compiled code and cached pages, and is not measured.
const warmShare = 0.1
// The limit for the heap after a full collection: the last third relative to the first.
const toStayUnder = 1.05

const any = (count) => Math.floor(Math.random() * count)

/** The requests of a client, with the correct statuses in `expected`. */
const requests = [
  { path: () => '/', expected: [200] },
  { path: () => `/?campaign=${any(1e6)}`, expected: [200] },
  { path: () => `/small?q=${any(1e6)}`, expected: [200] },
  { path: () => `/items?q=${any(1e6)}`, expected: [200] },
  { path: () => `/_waymark/data/small.rsc?q=${any(1e6)}`, expected: [200] },
  { path: () => `/cached/${any(50)}`, expected: [200] },
  { path: () => `/cached/${any(1e6)}`, expected: [200] },
  { path: () => `/refresh?id=${any(50)}`, method: 'POST', expected: [204] },
  { path: () => `/nowhere/${any(1e6)}`, expected: [404] },
  { path: () => `/broken?n=${any(1e6)}`, expected: [500] },
  { path: () => '/%zz', expected: [400] },
  { path: () => `/stream?q=${any(1e6)}`, expected: [200] },
  { path: () => `/stream?q=${any(1e6)}`, expected: [200], aborts: true },
]

console.log(describeMachine())
await buildApp(fixtureDir)
const server = await startServer({ args: startArgs, cwd: fixtureDir, probe: true })
const agent = new Agent({ keepAlive: true, maxSockets: clients })
let answered = 0
try {
  await fill()
  await loadFor(minutes * 60_000 * warmShare)
  const rows = []
  for (let look = 1; look <= looks; look++) {
    await loadFor((minutes * 60_000 * (1 - warmShare)) / looks)
    rows.push({ ...(await memory()), minute: Number(((minutes * look) / looks).toFixed(1)) })
  }
  report(rows)
} finally {
  agent.destroy()
  await server.stop()
}

async function fill() {
  let next = 0
  const client = async () => {
    while (next < filled) {
      const id = 1e6 + next++
      await ask({ path: () => `/cached/${id}`, expected: [200] })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

async function loadFor(ms) {
  const endsAt = performance.now() + ms
  const client = async () => {
    while (performance.now() < endsAt) await ask(requests[any(requests.length)])
  }
  await Promise.all(Array.from({ length: clients }, client))
}

function ask({ path, method = 'GET', expected, aborts = false }) {
  return new Promise((resolve, reject) => {
    const target = path()
    const request = send(server.url + target, { method, agent }, (response) => {
      answered++
      if (!expected.includes(response.statusCode)) {
        reject(new Error(`${method} ${target} answers ${response.statusCode}`))
      }
      response.once('error', () => {}) // the abort by this script
      response.once('close', resolve)
      if (aborts) response.once('data', () => request.destroy())
      else response.resume()
    })
    request.once('error', reject)
    request.end()
  })
}

async function memory() {
  await sleep(1_000) // the timers of abandoned streams
  const heapMb = Number(((await server.heapBytes()) / 2 ** 20).toFixed(1))
  return { heapMb, rssMb: Math.round(residentBytes(server.pid) / 2 ** 20), answered }
}

function report(rows) {
  appendResults('mixed-soak', [{ minutes, clients, ...growthOf(rows), rows }])
  const printed = rows.filter((_, at) => at % 3 === 2)
  printTable(
    [
      ['minute', 'minute'],
      ['answered', 'answered'],
      ['heap MB', 'heapMb'],
      ['RSS MB', 'rssMb'],
    ],
    printed,
  )
  const { heap, rss } = growthOf(rows)
  const verdict = heap <= toStayUnder ? 'flat' : 'grows'
  console.log(`last third over the first: heap ${heap} (${verdict}), RSS ${rss}`)
}

function growthOf(rows) {
  const third = Math.ceil(rows.length / 3)
  const grown = (key) => {
    const middle = (part) => median(part.map((row) => row[key]))
    return Number((middle(rows.slice(-third)) / middle(rows.slice(0, third))).toFixed(3))
  }
  return { heap: grown('heapMb'), rss: grown('rssMb') }
}
