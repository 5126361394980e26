/**
 * Measures the gain of each part of @waymark/speedups. It builds the same app without the package,
 * with one part at a time, and with all parts. Each request has a different query, and the servers
 * are measured alternately.
 *
 *   node speedups.mjs [--seconds 2] [--rounds 9] [--page small --page items]
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { layOut } from './lib/cost.mjs'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { load, requireTools } from './lib/load.mjs'
import { cpuMicroseconds } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '9' },
    page: { type: 'string', multiple: true },
  },
})
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)
const folder = fileURLToPath(new URL('./dist/speedups/', import.meta.url))
const script = [fileURLToPath(new URL('./lib/eachQuery.lua', import.meta.url))]
const parts = ['rows', 'lifetime', 'html']

const pages = [
  { page: 'small', path: '/small' },
  { page: 'items', path: '/items' },
  { page: 'data of items', path: '/_waymark/data/items.rsc' },
  { page: '1,000 elements', path: '/elements' },
].filter(({ page }) => options.page?.includes(page) ?? true)

const allOff = Object.fromEntries([...parts, 'encoder'].map((part) => [part, false]))
const apps = [
  { name: 'without' },
  ...parts.map((part) => ({ name: part, switches: { ...allOff, [part]: true } })),
  { name: 'all', switches: {} },
]

requireTools()
console.log(describeMachine())
const servers = []
try {
  for (const { name, switches } of apps) {
    const cwd = layOut({
      folder,
      fixtureDir,
      name,
      listed: switches && 'speedups',
      options: switches,
    })
    await buildApp(cwd)
    servers.push({ name, ...(await startServer({ args: startArgs, cwd })) })
  }
  const rows = []
  for (const { page, path } of pages) rows.push(...(await measurePage(page, path)))
  appendResults('speedups', rows)
  printTable(
    [
      ['page', 'page'],
      ['speedups', 'speedups'],
      ['CPU µs', 'cpuUs'],
      ['of without', 'ratio'],
      ['req/s', 'perSecond'],
    ],
    rows,
  )
} finally {
  for (const { stop } of servers) await stop()
}

/**
 * @returns a row for each server; `ratio` is the median over all rounds of its CPU time divided by
 *   the first server's
 */
async function measurePage(page, path) {
  const samples = servers.map(() => [])
  for (const { url } of servers) await load(url + path, 4, undefined, {}, script)
  for (let round = 0; round < rounds; round++) {
    for (const [at, server] of servers.entries()) samples[at].push(await sample(server, path))
  }
  return servers.map(({ name }, at) => ({
    page,
    speedups: name,
    rounds,
    seconds,
    cpuUs: Number(median(samples[at].map(({ cpuUs }) => cpuUs)).toFixed(1)),
    perSecond: Math.round(median(samples[at].map(({ perSecond }) => perSecond))),
    ratio: Number(
      median(samples[at].map(({ cpuUs }, round) => cpuUs / samples[0][round].cpuUs)).toFixed(2),
    ),
  }))
}

async function sample({ url, pid }, path) {
  const before = cpuMicroseconds(pid)
  const result = await load(url + path, seconds, undefined, {}, script)
  if (result.badStatus || result.socketErrors) throw new Error(JSON.stringify(result))
  return { perSecond: result.perSecond, cpuUs: (cpuMicroseconds(pid) - before) / result.requests }
}
