/**
 * Measures how a server behaves at twice its highest load, with an open loop: requests start when
 * they are due, and latencies count from then. First finds the highest load with a p99 below 500 ms,
 * then offers twice as much. `--before` and the app's own `loadShedding` are measured in turn.
 *
 *   node overload.mjs [--page small] [--page items] [--seconds 15] [--rounds 3] [--before CHECKOUT]
 */
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { buildApp, cliFile, cliOf, fixtureDir, fixtureOf } from './lib/fixture.mjs'
import { cpuMicroseconds } from './lib/process.mjs'
import { appendResults, describeMachine, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    page: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' },
    before: { type: 'string' },
    load: { type: 'string' },
    only: { type: 'string' },
    factor: { type: 'string', default: '2' },
    'skip-build': { type: 'boolean', default: false },
  },
})
const pages = options.page ?? ['small', 'items']
const seconds = Number(options.seconds)
const generator = fileURLToPath(new URL('lib/openLoop.mjs', import.meta.url))
const healthUrl = '/_waymark/health/live'
const loadCores = '1'
const warmSeconds = 11
const probeSeconds = 6
const maxP99Ms = 500
const firstGuess = { small: 1500, items: 300 }

const subjects = [
  ...(options.before
    ? [{ of: 'before', cli: cliOf(options.before), cwd: fixtureOf(options.before) }]
    : []),
  { of: 'off', cli: cliFile, cwd: fixtureDir, env: { BENCH_LOAD_SHEDDING: 'off' } },
  { of: 'on', cli: cliFile, cwd: fixtureDir, env: {} },
].filter(({ of }) => !options.only || of === options.only)

console.log(describeMachine())
if (!options['skip-build']) {
  for (const { cli, cwd } of subjects) await buildApp(cwd, () => {}, cli)
}
const rows = []
for (let round = 1; round <= Number(options.rounds); round++) {
  for (const page of pages) {
    for (const subject of subjects) rows.push(...(await measure(subject, page, round)))
  }
}
appendResults('overload', rows)
const ms = (key) => (row) => row[key] && `${row[key].p50} / ${row[key].p99} / ${row[key].max}`
printTable(
  [
    ['page', 'page'],
    ['shedding', 'of'],
    ['round', 'round'],
    ['load', 'load'],
    ['offered/s', 'offeredPerSecond'],
    ['200/s', 'okPerSecond'],
    ['200 within 1 s', 'inTimePerSecond'],
    ['200: p50 / p99 / max ms', ms('okMs')],
    ['503/s', 'refusedPerSecond'],
    ['503: p50 / p99 / max ms', ms('refusedMs')],
    ['failed', 'failed'],
    ['connections', 'connections'],
    ['health: p50 / p99 / max ms', ms('healthMs')],
    ['cores', 'serverCores'],
  ],
  rows,
)

async function measure({ of, cli, cwd, env = {} }, page, round) {
  const args = (port) => [cli, 'start', '--port', String(port)]
  const server = await startServer({ args, cwd, env, path: `/${page}` })
  const offer = async (perSecond, seconds, skipSeconds = 0) => {
    const before = cpuMicroseconds(server.pid)
    const startMs = performance.now()
    const load = { url: `${server.url}/${page}`, perSecond, seconds, skipSeconds, healthUrl }
    const { stdout } = await promisify(execFile)('taskset', [
      '-c',
      loadCores,
      process.execPath,
      generator,
      JSON.stringify(load),
    ])
    const cpu = (cpuMicroseconds(server.pid) - before) / 1000 / (performance.now() - startMs)
    const row = { page, of, round, ...JSON.parse(stdout), serverCores: Number(cpu.toFixed(2)) }
    return { ...row, machineLoad: Number(loadavg()[0].toFixed(1)) }
  }
  try {
    const guess = firstGuess[page] ?? 200
    await offer(guess / 2, warmSeconds)
    if (options.load) {
      const over = await offer(Number(options.load), seconds)
      console.log(page, of, JSON.stringify(over))
      return [{ ...over, load: '' }]
    }
    const highest = await findHighest(offer, guess)
    // Let the queue of the search empty.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const perSecond = Math.round(highest.offeredPerSecond * Number(options.factor))
    const over = await offer(perSecond, seconds)
    console.log(page, of, `highest ${highest.offeredPerSecond}`, JSON.stringify(over))
    return [
      { ...highest, load: 'highest' },
      { ...over, load: `${options.factor}x` },
    ]
  } finally {
    await server.stop()
  }
}

/** Finds the highest load that a server serves completely with a p99 below 500 ms, within 4 %. */
async function findHighest(offer, guess) {
  let best = null
  let low = guess / 4
  let high = guess * 4
  let next = guess
  while (high / low > 1.04) {
    const row = await offer(Math.round(next), probeSeconds, 1)
    const isServed = row.okMs !== null && row.okMs.p99 < maxP99Ms && row.failed === 0
    if (isServed && row.refusedPerSecond === 0) {
      best = row
      low = next
      next = high < guess * 4 ? Math.sqrt(low * high) : Math.min(next * 1.3, high)
      if (next === high) high *= 2
    } else {
      high = next
      next = Math.sqrt(low * high)
    }
  }
  return best ?? offer(Math.round(low), probeSeconds)
}
