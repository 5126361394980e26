/**
 * Measures how many arrival beacons a server accepts each second on one core. It compares the counter
 * alone, the endpoint of a built app behind a proxy, and a floor that only reads the beacons. wrk
 * sends them on persistent connections, from 8,000 addresses.
 *
 *   node beacons.mjs [--seconds 5] [--rounds 3]
 */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createArrivalMetrics } from '../packages/arrivals/dist/server/arrivalMetrics.js'
import { createLoadCounter } from '../packages/arrivals/dist/server/loadCounter.js'
import { parseBeacon } from '../packages/arrivals/dist/server/parseBeacon.js'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { load, requireTools } from './lib/load.mjs'
import { cpuMicroseconds } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string' }, rounds: { type: 'string' } },
})
const seconds = Number(options.seconds ?? 5)
const rounds = Number(options.rounds ?? 3)
const toReach = 20_000
const folder = fileURLToPath(new URL('./dist/beacons/', import.meta.url))
const beaconsFile = join(folder, 'beacons.txt')
const scriptFile = fileURLToPath(new URL('./lib/beacons.lua', import.meta.url))

// The headers that Chrome sends.
const headers = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
  'content-type': 'application/json',
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9,de;q=0.8',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36',
  'sec-ch-ua': '"Chromium";v="151", "Google Chrome";v="151", "Not/A)Brand";v="24"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
}

requireTools()
console.log(describeMachine())
const patterns = ['/', '/small', '/items', '/stream']
const beacons = Array.from({ length: 200 }, (_, at) => JSON.stringify(beaconAt(at)))
await layOut()
const subjects = [
  { of: 'node:http that reads', args: (port) => [floorFile('beacons.mjs'), String(port)] },
  { of: 'the endpoint', args: (port) => [...startArgs(port), '--trust-proxy', 'loopback'] },
]
const rows = [measureCounter()]
for (const { of, args } of subjects) rows.push(await measureServer(of, args))
appendResults('beacons', rows)
printTable(
  [
    ['beacons by', 'of'],
    ['taken/s', 'taken'],
    ['refused/s', 'refused'],
    ['p99', 'p99Ms'],
    ['CPU µs', 'cpuUs'],
    ['a core/s', 'ofCore'],
  ],
  rows,
)
const { ofCore } = rows.at(-1)
console.log(`${ofCore} by CPU (${toReach}: ${ofCore >= toReach ? 'reached' : 'missed'})`)

/** Two loads and the vitals of one of them, as a visit of two pages sends them. */
function beaconAt(at) {
  const route = patterns[at % 4]
  const next = patterns[(at + 1) % 4]
  const load = (more) => ({ outcome: 'page', ms: 40 + ((at * 37) % 900), attempts: 1, ...more })
  const vital = (name, value) => ({ route, name, isSoft: false, value })
  return {
    build: 'b1',
    loads: [load({ route, kind: 'document' }), load({ route: next, kind: 'push' })],
    vitals: [vital('TTFB', 80 + at), vital('LCP', 700 + at), vital('CLS', 3), vital('INP', 40)],
  }
}

async function layOut() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const isMade = (path) => /(?:^|\/)(?:\.waymark|node_modules|pages)$/.test(path)
  cpSync(fixtureDir, join(folder, 'app'), {
    recursive: true,
    filter: (path) => !isMade(path.slice(fixtureDir.length)),
  })
  symlinkSync(fileURLToPath(new URL('./pages/', import.meta.url)), join(folder, 'pages'), 'dir')
  const config = `import { arrivals } from '@waymark/arrivals/vite'
import { waymark } from 'waymark/vite'
export default { plugins: [waymark(), arrivals()] }
`
  writeFileSync(join(folder, 'app/vite.config.ts'), config)
  writeFileSync(beaconsFile, `${beacons.join('\n')}\n`)
  await buildApp(join(folder, 'app'))
}

function floorFile(name) {
  return fileURLToPath(new URL(`./floors/${name}`, import.meta.url))
}

/** Measures the cost of a beacon after its text has arrived. */
function measureCounter() {
  const counter = createLoadCounter(patterns, 'b1')
  const metrics = createArrivalMetrics(patterns, 'b1')
  const count = (times) => {
    for (let at = 0; at < times; at++) {
      const beacon = parseBeacon(beacons[at % beacons.length])
      if (beacon === null) throw new Error('A beacon was refused.')
      counter.add(beacon)
      metrics.add(beacon)
    }
  }
  const times = 100_000
  count(times)
  const costs = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    count(times)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / times
  })
  const cpuUs = median(costs)
  return { of: 'the counter alone', ...costOf(cpuUs) }
}

async function measureServer(of, args) {
  const server = await startServer({ args, cwd: join(folder, 'app') })
  const post = () => load(server.url, seconds, undefined, headers, [scriptFile, beaconsFile])
  try {
    await post()
    const measured = []
    for (let round = 0; round < rounds; round++) {
      const before = cpuMicroseconds(server.pid)
      const { requests, badStatus, socketErrors, p99Ms, loadCores } = await post()
      if (socketErrors) throw new Error(socketErrors)
      const cpuUs = (cpuMicroseconds(server.pid) - before) / requests
      const [accepted, refused] = [requests - badStatus, badStatus].map((each) => each / seconds)
      measured.push({ accepted, refused, cpuUs, p99Ms, loadCores })
    }
    const middle = (key) => median(measured.map((row) => row[key]))
    return {
      of,
      taken: Math.round(middle('accepted')),
      refused: Math.round(middle('refused')),
      p99Ms: rounded(middle('p99Ms')),
      loadCores: rounded(middle('loadCores')),
      ...costOf(middle('cpuUs')),
    }
  } finally {
    await server.stop()
  }
}

/** @param cpuUs CPU time of a beacon, which says more than the rate if others use the core as well */
function costOf(cpuUs) {
  return { cpuUs: rounded(cpuUs), ofCore: Math.round(1e6 / cpuUs) }
}

function rounded(value) {
  return Number(value.toFixed(1))
}
