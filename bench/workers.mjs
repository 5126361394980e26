/**
 * What a second worker is worth on two cores: the throughput of `start --workers 2` over `start`.
 *
 *   node workers.mjs [--seconds 8] [--rounds 5]
 */
import { parseArgs } from 'node:util'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { load, requireTools } from './lib/load.mjs'
import { cpuMicroseconds } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string' }, rounds: { type: 'string' } },
})
const seconds = Number(options.seconds ?? 8)
const rounds = Number(options.rounds ?? 5)
const warmSeconds = Math.max(2, seconds / 2)
// For servers and load alike. The page takes a hundred times the CPU that wrk takes for it, so
// what wrk takes away from two workers is small; it is in the figure all the same.
const cores = '0,1'
const path = '/items?q=abc'
const toReach = 1.7

requireTools()
console.log(describeMachine())
await buildApp(fixtureDir)
const counts = [1, 2]
const servers = await Promise.all(
  counts.map((workers) => startServer({ args: argsOf(workers), cwd: fixtureDir, cores })),
)
try {
  for (const { url } of servers) await load(url + path, warmSeconds, cores)
  const measured = counts.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, server] of servers.entries()) measured[at].push(await measure(server))
  }
  report(measured)
} finally {
  await Promise.all(servers.map((server) => server.stop()))
}

function argsOf(workers) {
  return (port) => [...startArgs(port), ...(workers > 1 ? ['--workers', String(workers)] : [])]
}

async function measure({ url, pid }) {
  const before = cpuMicroseconds(pid)
  const found = await load(url + path, seconds, cores)
  if (found.badStatus || found.socketErrors) throw new Error(JSON.stringify(found))
  const cpu = cpuMicroseconds(pid) - before
  return { ...found, cpuUs: cpu / found.requests, cores: cpu / (seconds * 1e6) }
}

function report(measured) {
  const rows = counts.map((workers, at) => {
    const middle = (key) => median(measured[at].map((row) => row[key]))
    return {
      workers,
      perSecond: Math.round(middle('perSecond')),
      p50Ms: Number(middle('p50Ms').toFixed(2)),
      p99Ms: Number(middle('p99Ms').toFixed(2)),
      cpuUs: Math.round(middle('cpuUs')),
      cores: Number(middle('cores').toFixed(2)),
    }
  })
  const ratios = measured[0].map((one, at) => measured[1][at].perSecond / one.perSecond)
  const ratio = Number(median(ratios).toFixed(2))
  appendResults(
    'workers',
    rows.map((row) => ({ ...row, ratio })),
  )
  printTable(
    [
      ['workers', 'workers'],
      ['req/s', 'perSecond'],
      ['p50', 'p50Ms'],
      ['p99', 'p99Ms'],
      ['CPU µs', 'cpuUs'],
      ['cores used', 'cores'],
    ],
    rows,
  )
  const verdict = ratio >= toReach ? 'reached' : 'missed'
  console.log(`two workers over one, round by round, median: ${ratio} (${toReach}: ${verdict})`)
}
