/**
 * Measures the effect of errors on other requests: the latency of a page before and during many
 * errors, the size of the journal, and a 404 for an unmatched URL compared with a static page.
 *
 *   node errors.mjs [--perSecond 1000] [--seconds 10]
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { Agent, get } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { load, requireTools } from './lib/load.mjs'
import { cpuMicroseconds } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({
  options: {
    perSecond: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
  },
})
const perSecond = Number(options.perSecond)
const seconds = Number(options.seconds)
const journalDir = path.join(fixtureDir, '.waymark/journal')
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

requireTools()
console.log(describeMachine())
await buildApp(fixtureDir)
rmSync(journalDir, { recursive: true, force: true })
mkdirSync(journalDir, { recursive: true })
const server = await startServer({ args: startArgs, cwd: fixtureDir })
try {
  const flood = await measureFlood()
  const notFound = await measureNotFound()
  appendResults('errors', [flood, notFound])
} finally {
  await server.stop()
}

async function measureFlood() {
  const page = `${server.url}/small?q=abc`
  await latencies(page, 3)
  let before = []
  const idleUs = await cpuOf(async () => {
    before = await latencies(page, seconds)
  })
  let during = []
  let errors = 0
  const busyUs = await cpuOf(async () => {
    const both = await Promise.all([latencies(page, seconds), flood()])
    during = both[0]
    errors = both[1]
  })
  await sleep(1_500)
  const bytes = readdirSync(journalDir).reduce(
    (sum, file) => sum + statSync(path.join(journalDir, file)).size,
    0,
  )
  const row = {
    errors,
    perSecond: Math.round(errors / seconds),
    p50Before: quantile(before, 0.5),
    p50During: quantile(during, 0.5),
    p99Before: quantile(before, 0.99),
    p99During: quantile(during, 0.99),
    cpuUsPerError: Math.round((busyUs - idleUs) / errors),
    journalKb: Math.round(bytes / 1024),
  }
  printTable(
    Object.keys(row).map((name) => [name, name]),
    [row],
  )
  return row
}

async function cpuOf(run) {
  const before = cpuMicroseconds(server.pid)
  await run()
  return cpuMicroseconds(server.pid) - before
}

/** As many failing requests as asked for, spread over the time. */
async function flood() {
  const answered = []
  const everyMs = 10
  const startedAtMs = performance.now()
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = Math.min(
      perSecond * seconds,
      ((performance.now() - startedAtMs) / 1000) * perSecond,
    )
    for (; sent < due; sent++) answered.push(ask(`${server.url}/broken`))
    await sleep(everyMs)
  }
  const statuses = await Promise.all(answered)
  if (statuses.some(({ status }) => status !== 500)) throw new Error('not all of them failed')
  return statuses.length
}

/** Of 50 requests a second, in milliseconds. */
async function latencies(url, forSeconds) {
  const responses = []
  for (let count = 0; count < forSeconds * 50; count++) {
    responses.push(ask(url))
    await sleep(20)
  }
  return (await Promise.all(responses)).map(({ ms }) => ms)
}

function ask(url) {
  const startedAtMs = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume()
      response.once('end', () =>
        resolve({ status: response.statusCode, ms: performance.now() - startedAtMs }),
      )
    }).once('error', reject)
  })
}

async function measureNotFound() {
  const cpu = { '/': [], '/no/such/page': [] }
  for (const target of Object.keys(cpu)) await load(server.url + target, 1)
  for (let round = 0; round < 5; round++) {
    for (const [target, samples] of Object.entries(cpu)) {
      const before = cpuMicroseconds(server.pid)
      const { requests } = await load(server.url + target, 1)
      samples.push((cpuMicroseconds(server.pid) - before) / requests)
    }
  }
  const [page, notFound] = Object.values(cpu).map(median)
  const row = { staticCpuUs: page, notFoundCpuUs: notFound, ratio: notFound / page }
  printTable(
    Object.keys(row).map((name) => [name, (each) => each[name].toFixed(2)]),
    [row],
  )
  return row
}

function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(2))
}
