/**
 * Measures requests per second, latency and CPU per request of the framework and of its floors, and
 * prints a table. `README.md` explains the figures.
 *
 *   node run.mjs [--quick] [--floors] [--seconds 4] [--rounds 5] [--page small] [--before DIR]
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ofCheckout, pages, servers } from './cases.mjs'
import { buildFloors } from './floors/build.mjs'
import { buildApp, cliFile, cliOf, fixtureDir, fixtureOf } from './lib/fixture.mjs'
import { load, requireTools } from './lib/load.mjs'
import { cpuMicroseconds, residentBytes } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    floors: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    page: { type: 'string' },
    before: { type: 'string' },
  },
})
const seconds = Number(options.seconds ?? (options.quick ? 1 : 4))
const rounds = Number(options.rounds ?? (options.quick ? 2 : 5))

requireTools()
console.log(describeMachine())
await buildFloors()
if (!options.floors) await buildFixture()
const rows = await measureAll()
const results = withRatios(rows)
appendResults('throughput', results)
print(results)

async function buildFixture() {
  if (!existsSync(cliFile)) throw new Error(`${cliFile} is not built: npm run build`)
  await buildApp(fixtureDir)
  const { before } = options
  if (before) await buildApp(fixtureOf(before), undefined, cliOf(before))
}

async function measureAll() {
  const before = options.before ? [ofCheckout('before', options.before)] : []
  const measured = [...servers, ...before].filter((server) => server.floor || !options.floors)
  const running = []
  // The framework starts first, because the constant buffer is as long as its static page.
  for (const server of measured.toReversed()) {
    const env = { CONSTANT_BYTES: String(await staticPageBytes(running)) }
    running.unshift({ ...server, ...(await startServer({ ...server, env })) })
  }
  try {
    const rows = []
    for (const page of pages.filter(({ name }) => !options.page || options.page === name)) {
      const answering = running.filter((server) => server.pages.includes(page.name))
      if (answering.length > 0) rows.push(...(await measurePage(page, answering)))
    }
    return rows
  } finally {
    await Promise.all(running.map((server) => server.stop()))
  }
}

async function staticPageBytes(running) {
  const framework = running.find((server) => !server.floor)
  if (!framework) return 0
  return (await (await fetch(framework.url)).arrayBuffer()).byteLength
}

// Rounds are interleaved (A B A B), so that a slow period of the machine affects all servers.
async function measurePage(page, answering) {
  const samples = new Map(answering.map((server) => [server, []]))
  for (const server of answering) {
    await checkAnswer(page, server)
    await warmUp(server.url + page.path)
  }
  for (let round = 0; round < rounds; round++) {
    for (const server of answering) samples.get(server).push(await sample(page, server))
  }
  return answering.map((server) => summary(page, server, samples.get(server)))
}

// Runs until the JIT has settled. With a fixed time, slow servers would stay cold.
async function warmUp(url) {
  let requests = 0
  for (let tries = 0; tries < 10 && requests < 4000; tries++) {
    requests += (await load(url, 1)).requests
  }
}

async function checkAnswer(page, server) {
  const response = await fetch(server.url + page.path)
  const text = await response.text()
  // The constant buffer is the response for every static page, including the 404.
  if (server.name === 'constant') return
  if (response.status === (page.status ?? 200) && text.includes(page.shows)) return
  throw new Error(
    `${server.name} answers ${page.path} with ${response.status}: ${text.slice(0, 300)}`,
  )
}

async function sample(page, server) {
  const before = cpuMicroseconds(server.pid)
  const result = await load(server.url + page.path, seconds)
  const cpuUs = (cpuMicroseconds(server.pid) - before) / result.requests
  if (result.socketErrors) throw new Error(`${server.name} ${page.path}: ${result.socketErrors}`)
  if (result.badStatus && !page.status) throw new Error(`${server.name} ${page.path}: not all 2xx`)
  if (server.errors.lines > 0) throw new Error(`${server.name} printed: ${server.errors.text}`)
  return { ...result, cpuUs, rssMb: residentBytes(server.pid) / 2 ** 20 }
}

function summary(page, server, samples) {
  const middle = (key) => median(samples.map((sample) => sample[key]))
  return {
    page: page.name,
    server: server.name,
    perSecond: Math.round(middle('perSecond')),
    p50Ms: round(middle('p50Ms')),
    p99Ms: round(middle('p99Ms')),
    cpuUs: round(middle('cpuUs')),
    rssMb: Math.round(Math.max(...samples.map((sample) => sample.rssMb))),
    rounds,
    seconds,
  }
}

function withRatios(rows) {
  return rows.map((row) => {
    const page = pages.find(({ name }) => name === row.page)
    const floor = rows.find((other) => other.page === row.page && other.server === page.floor)
    return {
      ...row,
      ofFloor: round(row.perSecond / floor.perSecond),
      ofFloorByCpu: round(floor.cpuUs / row.cpuUs),
    }
  })
}

function print(rows) {
  for (const page of pages) {
    const ofPage = rows.filter((row) => row.page === page.name)
    if (ofPage.length === 0) continue
    console.log(`\n${page.name} page, ${page.path}`)
    printTable(
      [
        ['server', 'server'],
        ['req/s', 'perSecond'],
        ['p50 ms', 'p50Ms'],
        ['p99 ms', 'p99Ms'],
        ['CPU µs', 'cpuUs'],
        ['RSS MB', 'rssMb'],
        [`of ${page.floor}`, 'ofFloor'],
        ['by CPU', 'ofFloorByCpu'],
      ],
      ofPage,
    )
    const framework = ofPage.find((row) => row.server === 'waymark')
    if (framework) console.log(verdict(framework, page))
  }
}

// On a quiet machine, requests per second on one core and CPU time have the same meaning. On a busy
// machine, CPU time is more stable.
function verdict({ ofFloor, ofFloorByCpu }, { target, floor }) {
  const outcome = ofFloor >= target && ofFloorByCpu >= target ? 'reached' : 'short'
  return `${outcome}: ${ofFloor} of ${floor}, by CPU ${ofFloorByCpu}, to reach ${target}`
}

function round(value) {
  return Number(value.toPrecision(3))
}
