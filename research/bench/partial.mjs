/**
 * Measures when a partial page starts to arrive, and when its hole arrives. It compares the page with
 * a static version without the hole, and with a version that is rendered for each request.
 *
 *   node partial.mjs [--rounds 200]
 */
import { execFileSync } from 'node:child_process'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { requireTools } from './lib/load.mjs'
import { cpuMicroseconds } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({ options: { rounds: { type: 'string' } } })
const rounds = Number(options.rounds ?? 200)
const warmUps = 300
// The value in `pages/parts.tsx`.
const holeMs = 50
const lastOfShell = 'Item number 100'
const lastOfHole = 'You are the visitor'
const toReach = 1

const pages = [
  { page: 'static', path: '/parts/whole', cache: 'hit' },
  { page: 'static in part', path: '/parts/shell', cache: 'hit' },
  { page: 'for each request', path: '/parts/request', cache: undefined },
]

requireTools()
console.log(describeMachine())
await buildApp(fixtureDir)
// On another core than the server, which continues to work while the first bytes are read.
execFileSync('taskset', ['-a', '-pc', '1', String(process.pid)])
const server = await startServer({ args: startArgs, cwd: fixtureDir })
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
try {
  for (const page of pages) {
    // Sixteen requests at the same time, because they wait for the holes.
    for (let at = 0; at < warmUps; at += 16) {
      await Promise.all(Array.from({ length: 16 }, () => ask(page)))
    }
  }
  const measured = pages.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, page] of pages.entries()) measured[at].push(await measure(page))
  }
  report(measured)
} finally {
  agent.destroy()
  await server.stop()
}

async function measure(page) {
  const before = cpuMicroseconds(server.pid)
  const times = await ask(page)
  return { ...times, cpuUs: cpuMicroseconds(server.pid) - before }
}

/**
 * @returns milliseconds until the first byte, until the last byte of the shell, and until the hole
 */
function ask({ path, cache }) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const headers = { 'x-visitor': 'ada' }
    const sent = request(server.url + path, { agent, headers }, (answer) => {
      const state = answer.headers['waymark-cache']
      if (answer.statusCode !== 200 || state !== cache) {
        reject(new Error(`${path}: ${answer.statusCode}, ${state}`))
      }
      const times = {}
      let text = ''
      answer.setEncoding('utf8').on('data', (piece) => {
        const now = performance.now() - startedAt
        times.firstMs ??= now
        text += piece
        if (text.includes(lastOfShell)) times.shellMs ??= now
        if (text.includes(lastOfHole)) times.holeMs ??= now
      })
      answer.on('end', () => resolve(times))
    })
    sent.on('error', reject)
    sent.end()
  })
}

function report(measured) {
  const at99 = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]
  const rows = pages.map(({ page }, at) => {
    const of = (key) => measured[at].map((row) => row[key])
    const mean = of('cpuUs').reduce((sum, each) => sum + each, 0) / rounds
    return {
      page,
      firstMs: Number(median(of('firstMs')).toFixed(2)),
      firstP99Ms: Number(at99(of('firstMs')).toFixed(2)),
      shellMs: Number(median(of('shellMs')).toFixed(2)),
      holeMs: Number(median(of('holeMs')).toFixed(2)),
      cpuUs: Math.round(mean),
    }
  })
  appendResults('partial', rows)
  printTable(
    [
      ['page', 'page'],
      ['first byte', 'firstMs'],
      ['p99', 'firstP99Ms'],
      ['shell', 'shellMs'],
      ['hole', 'holeMs'],
      ['CPU µs', 'cpuUs'],
    ],
    rows,
  )
  const [built, partial] = rows
  const more = Number((partial.shellMs - built.shellMs).toFixed(2))
  const verdict = more <= toReach ? 'reached' : 'missed'
  console.log(`the shell over the static page: ${more} ms more (${toReach}: ${verdict})`)
  console.log(`the hole after its ${holeMs} ms: ${(partial.holeMs - holeMs).toFixed(2)} ms`)
}
