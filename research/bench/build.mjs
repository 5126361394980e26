/**
 * Measures the cost of building and starting: build time and peak memory of apps with 10 and 1,000
 * routes, cold start, and a server's memory under load and after 20,000 requests.
 *
 *   node build.mjs [--routes 10 --routes 1000]
 */
import { parseArgs } from 'node:util'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { generateApp, removeApp } from './lib/generateApp.mjs'
import { load, requireTools } from './lib/load.mjs'
import { residentBytes, samplePeak } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({ options: { routes: { type: 'string', multiple: true } } })
const routeCounts = (options.routes ?? ['10', '1000']).map(Number)
const starts = 7
const requestsToServe = 20_000
const mebibyte = 2 ** 20

requireTools()
console.log(describeMachine())
const builds = []
for (const routes of routeCounts) builds.push(await measureBuild(routes))
appendResults('build', builds)
printTable(
  [
    ['routes', 'routes'],
    ['build s', 'buildSeconds'],
    ['peak MiB', 'peakMib'],
    ['cold start ms', 'startMs'],
  ],
  builds,
)
console.log('to reach: 1,000 routes in 20 s and 1,024 MiB on two cores; cold start 400 ms\n')

await buildApp(fixtureDir)
const memory = []
for (const path of ['/', '/small?q=abc', '/items?q=abc']) memory.push(await measureMemory(path))
appendResults('memory', memory)
printTable(
  [
    ['page', 'page'],
    ['started MB', 'startedMb'],
    ['most under load MB', 'peakMb'],
    ['after MB', 'afterMb'],
    ['heap after MB', 'heapMb'],
    ['requests', 'requests'],
  ],
  memory,
)
console.log('to reach: at most 150 MB under load')

async function measureBuild(routes) {
  const dir = generateApp(routes)
  let peak
  const startedAt = performance.now()
  await buildApp(dir, (pid) => {
    peak = samplePeak(pid)
  })
  const buildSeconds = ((performance.now() - startedAt) / 1000).toFixed(2)
  const peakMib = toMb(peak.end())
  const startMs = await coldStart(dir)
  removeApp(dir)
  return { routes, buildSeconds, peakMib, startMs }
}

async function coldStart(cwd) {
  const times = []
  for (let start = 0; start < starts; start++) {
    const server = await startServer({ args: startArgs, cwd })
    times.push(server.readyMs)
    await server.stop()
  }
  return Math.round(median(times))
}

async function measureMemory(path) {
  const server = await startServer({ args: startArgs, cwd: fixtureDir, probe: true })
  try {
    const startedMb = toMb(residentBytes(server.pid))
    const peak = samplePeak(server.pid)
    let requests = 0
    while (requests < requestsToServe) requests += (await load(server.url + path, 1)).requests
    const peakMb = toMb(peak.end())
    const heapMb = toMb(await server.heapBytes())
    const afterMb = toMb(residentBytes(server.pid))
    return { page: path, startedMb, peakMb, afterMb, heapMb, requests }
  } finally {
    await server.stop()
  }
}

function toMb(bytes) {
  return Math.round(bytes / mebibyte)
}
