/**
 * Measures the gain of a second worker on two cores: the throughput of `start --workers 2` compared
 * with one process, which may use both cores or only one. For comparison, it prints how much work two
 * busy processes do compared with one. A machine that shares its cores reaches less than two.
 *
 *   node workers.mjs [--seconds 4] [--rounds 7]
 */
import { parseArgs } from 'node:util'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { load, requireTools } from './lib/load.mjs'
import { twoOverOne } from './lib/machine.mjs'
import { cpuMicroseconds } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string' }, rounds: { type: 'string' } },
})
const seconds = Number(options.seconds ?? 4)
const rounds = Number(options.rounds ?? 7)
// Until the JIT has settled in each worker. Each worker gets half of the requests.
const warmSeconds = 10
const bothCores = '0,1'
const path = '/items?q=abc'
const toReach = 1.7
const busyMs = 1_500

const subjects = [
  { of: 'one process', workers: 1, cores: bothCores },
  // The other core is for the load.
  { of: 'one process on one core', workers: 1, cores: '0' },
  { of: 'two workers', workers: 2, cores: bothCores },
]

requireTools()
console.log(describeMachine())
process.env.BENCH_WORKERS = '1'
await buildApp(fixtureDir)
const servers = await Promise.all(
  subjects.map(({ workers, cores }) =>
    startServer({ args: argsOf(workers), cwd: fixtureDir, cores }),
  ),
)
try {
  for (const [at, { url }] of servers.entries()) await load(url + path, warmSeconds, loadCores(at))
  const measured = subjects.map(() => [])
  const coreRatios = []
  for (let round = 0; round < rounds; round++) {
    coreRatios.push(await twoOverOne(busyMs))
    for (const at of subjects.keys()) measured[at].push(await measure(at))
  }
  report(measured, Number(median(coreRatios).toFixed(2)))
} finally {
  await Promise.all(servers.map((server) => server.stop()))
}

function argsOf(workers) {
  return (port) => [...startArgs(port), ...(workers > 1 ? ['--workers', String(workers)] : [])]
}

function loadCores(at) {
  return subjects[at].cores === bothCores ? bothCores : '1'
}

async function measure(at) {
  const { url, pid } = servers[at]
  const before = cpuMicroseconds(pid)
  const result = await load(url + path, seconds, loadCores(at))
  if (result.badStatus || result.socketErrors) throw new Error(JSON.stringify(result))
  const cpu = cpuMicroseconds(pid) - before
  return { ...result, cpuUs: cpu / result.requests, cores: cpu / (seconds * 1e6) }
}

function report(measured, coreRatio) {
  const rows = subjects.map(({ of }, at) => {
    const middle = (key, digits) =>
      Number(median(measured[at].map((row) => row[key])).toFixed(digits))
    return {
      of,
      perSecond: middle('perSecond', 0),
      p50Ms: middle('p50Ms', 2),
      p99Ms: middle('p99Ms', 2),
      cpuUs: middle('cpuUs', 0),
      cores: middle('cores', 2),
      loadCores: middle('loadCores', 2),
    }
  })
  const [one, held, two] = measured
  const overOne = ratioOf(two, one)
  const overHeld = ratioOf(two, held)
  appendResults(
    'workers',
    rows.map((row) => ({ ...row, overOne, overHeld, coreRatio })),
  )
  printTable(
    [
      ['served by', 'of'],
      ['req/s', 'perSecond'],
      ['p50', 'p50Ms'],
      ['p99', 'p99Ms'],
      ['CPU µs', 'cpuUs'],
      ['cores used', 'cores'],
      ['by wrk', 'loadCores'],
    ],
    rows,
  )
  console.log(`two workers over one process: ${overOne} (${verdict(overOne)})`)
  console.log(`two workers over one process on one core: ${overHeld} (${verdict(overHeld)})`)
  console.log(`the machine gives two busy processes ${coreRatio} of what it gives one`)
}

/** Returns the median of the ratios of all rounds. */
function ratioOf(some, others) {
  const ratios = some.map((row, round) => row.perSecond / others[round].perSecond)
  return Number(median(ratios).toFixed(2))
}

function verdict(ratio) {
  return `${toReach}: ${ratio >= toReach ? 'reached' : 'missed'}`
}
