/**
 * Compares a page that is cached in memory with a prerendered page of the same content.
 *
 *   node cached-pages.mjs [--seconds 1] [--rounds 25]
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
// Many short rounds, so that other load of the machine affects both pages of a round.
const seconds = Number(options.seconds ?? 1)
const rounds = Number(options.rounds ?? 25)
const toReach = 0.9
const pages = [
  { page: 'of the build', path: '/' },
  { page: 'cached', path: '/cached/1' },
]

requireTools()
console.log(describeMachine())
await buildApp(fixtureDir)
const server = await startServer({ args: startArgs, cwd: fixtureDir })
try {
  for (const { path } of pages) await load(server.url + path, Math.max(4, seconds / 2))
  await assertCached()
  const measured = pages.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, { path }] of pages.entries()) measured[at].push(await measure(path))
  }
  report(measured)
} finally {
  await server.stop()
}

async function assertCached() {
  for (const { path } of pages) {
    const { headers } = await fetch(server.url + path)
    if (headers.get('waymark-cache') !== 'hit') throw new Error(`${path} is not cached.`)
  }
}

async function measure(path) {
  const before = cpuMicroseconds(server.pid)
  const result = await load(server.url + path, seconds)
  if (result.badStatus || result.socketErrors) throw new Error(JSON.stringify(result))
  return { ...result, cpuUs: (cpuMicroseconds(server.pid) - before) / result.requests }
}

function report(measured) {
  const rows = pages.map(({ page }, at) => {
    const middle = (key) => median(measured[at].map((row) => row[key]))
    return {
      page,
      perSecond: Math.round(middle('perSecond')),
      p99Ms: Number(middle('p99Ms').toFixed(2)),
      cpuUs: Number(middle('cpuUs').toFixed(1)),
    }
  })
  const ratioOf = (of) => Number(median(measured[0].map((_, at) => of(at))).toFixed(2))
  const byRate = ratioOf((at) => measured[1][at].perSecond / measured[0][at].perSecond)
  const byCpu = ratioOf((at) => measured[0][at].cpuUs / measured[1][at].cpuUs)
  // The kind of the earlier rows in results.jsonl.
  appendResults(
    'kept',
    rows.map((row) => ({ ...row, byRate, byCpu })),
  )
  printTable(
    [
      ['page', 'page'],
      ['req/s', 'perSecond'],
      ['p99', 'p99Ms'],
      ['CPU µs', 'cpuUs'],
    ],
    rows,
  )
  const verdict = Math.min(byRate, byCpu) >= toReach ? 'reached' : 'missed'
  console.log(`cached over built: ${byRate} by req/s, ${byCpu} by CPU (${toReach}: ${verdict})`)
}
