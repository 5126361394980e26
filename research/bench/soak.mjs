/**
 * Aborts 10,000 requests in the middle of a streaming page, and shows if memory use stays flat.
 *
 *   node soak.mjs [--requests 10000]
 */
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildApp, fixtureDir, startArgs } from './lib/fixture.mjs'
import { residentBytes } from './lib/process.mjs'
import { appendResults, describeMachine, median, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'

const { values: options } = parseArgs({ options: { requests: { type: 'string' } } })
const requests = Number(options.requests ?? 10_000)
const steps = 10
const concurrency = 50
const path = '/stream?q=abc'
// Time for the timers of parts that were running when the last client left.
const settleMs = 1000

console.log(describeMachine())
await buildApp(fixtureDir)
const server = await startServer({ args: startArgs, cwd: fixtureDir, probe: true })
try {
  const rows = await soak()
  appendResults('soak', rows)
  printTable(
    [
      ['aborted', 'aborted'],
      ['heap MB', 'heapMb'],
      ['RSS MB', 'rssMb'],
    ],
    rows,
  )
  const growth = heapGrowth(rows)
  console.log(`heap of the last third over the first: ${(growth * 100 - 100).toFixed(1)} %`)
  console.log(`lines printed as errors: ${server.errors.lines}`)
  await checkAlive()
} finally {
  await server.stop()
}

async function soak() {
  await abortMany(requests / steps) // warms up compiled code and caches
  const rows = [await memory(0)]
  for (let step = 1; step <= steps; step++) {
    await abortMany(requests / steps)
    rows.push(await memory((step * requests) / steps))
  }
  return rows
}

async function abortMany(count) {
  let left = count
  const work = async () => {
    while (left-- > 0) await abortOne()
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}

// Leaves at the first bytes, when the shell has arrived and five parts are missing.
function abortOne() {
  return new Promise((resolve, reject) => {
    const request = get(server.url + path, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answers ${response.statusCode}`))
      response.once('data', () => request.destroy())
      response.once('error', () => {}) // the abort by this script
      response.once('close', resolve)
    })
    request.once('error', reject)
  })
}

async function memory(aborted) {
  await sleep(settleMs)
  const heapMb = ((await server.heapBytes()) / 2 ** 20).toFixed(1)
  return { aborted, heapMb: Number(heapMb), rssMb: Math.round(residentBytes(server.pid) / 2 ** 20) }
}

function heapGrowth(rows) {
  const third = Math.ceil(rows.length / 3)
  const middle = (part) => median(part.map((row) => row.heapMb))
  return middle(rows.slice(-third)) / middle(rows.slice(0, third))
}

async function checkAlive() {
  const text = await (await fetch(server.url + path)).text()
  if (!text.includes('Line 19 after 250 ms.'))
    throw new Error('The server does not stream any more.')
}
