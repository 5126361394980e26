/**
 * Finds the highest load that each framework serves with a p99 below 500 ms, and then offers twice as
 * much. Requests start when they are due, and latencies count from then (open loop).
 */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { load } from '../lib/load.mjs'
import { median } from '../lib/report.mjs'
import { startServer } from '../lib/server.mjs'

const generator = fileURLToPath(new URL('../lib/openLoop.mjs', import.meta.url))
const loadCores = '1'
const maxP99Ms = 500
// The search ends if the served and the refused load differ by less.
const precision = 1.05
const pages = [
  { page: 'small', path: '/small' },
  { page: 'items, a text by visitor', path: '/items' },
]

/**
 * @param options.seconds that scale all durations: 2.5 times as long for each load of the search, so
 * that a load 5 % above the highest one queues for 500 ms if `seconds` is 4; 5 times for twice the load
 * @returns for each page and framework, medians over the rounds
 */
export async function measureOverload(frameworks, { seconds, rounds }) {
  const measured = pages.flatMap(({ page, path }) =>
    frameworks.map((framework) => ({ page, path, framework, samples: [] })),
  )
  for (let round = 0; round < rounds; round++) {
    for (const { framework, path, samples } of measured) {
      samples.push(await measureServer(framework, path, seconds))
    }
  }
  return measured.map(({ page, framework, samples }) => ({
    page,
    server: framework.name,
    rounds,
    ...summary(samples),
  }))
}

async function measureServer({ start, ...framework }, path, seconds) {
  const server = await startServer({ ...framework, args: start, path })
  const offer = async (perSecond, forSeconds) => {
    await waitForQueue(server.url + path)
    return offerLoad(server.url + path, perSecond, forSeconds)
  }
  try {
    const closed = await warmUp(server.url + path, seconds)
    const highest = await findHighest((perSecond) => offer(perSecond, 2.5 * seconds), closed)
    if (!highest) return { highest: 0 }
    return { highest, twice: await offer(2 * highest, 5 * seconds) }
  } finally {
    await server.stop()
  }
}

/** @returns requests per second of a closed loop, from which the search starts */
async function warmUp(url, seconds) {
  let perSecond = 0
  let requests = 0
  for (let tries = 0; tries < 3 || (tries < 3 * seconds && requests < 4000); tries++) {
    const loaded = await load(`${url}?q=1`, 1)
    requests += loaded.requests
    perSecond = loaded.perSecond
  }
  return perSecond
}

/** @returns the highest number of requests per second that are served in time, or `null` */
async function findHighest(offer, closed) {
  let served = null
  let low = closed / 16
  let high = null
  let next = closed * 0.8
  while (high === null || high / low > precision) {
    if (high !== null && high < closed / 12) return served
    const { okMs, refusedPerSecond, failed } = await offer(Math.round(next))
    const isServed = okMs !== null && okMs.p99 < maxP99Ms && refusedPerSecond === 0 && failed === 0
    if (isServed) {
      low = next
      served = Math.round(next)
    } else {
      high = next
    }
    next = high === null ? low * 1.25 : Math.sqrt(low * high)
  }
  return served
}

/** Waits until the server has handled what is left of an earlier load. */
async function waitForQueue(url) {
  const quick = { least: 3, ms: maxP99Ms / 2 }
  for (let tries = 0, count = 0; tries < 100 && count < quick.least; tries++) {
    const startedAt = performance.now()
    const response = await fetch(`${url}?q=1`).catch(() => null)
    await response?.text().catch(() => {})
    const isQuick = response?.ok && performance.now() - startedAt < quick.ms
    count = isQuick ? count + 1 : 0
    if (!isQuick) await sleep(200)
  }
}

async function offerLoad(url, perSecond, seconds) {
  const options = JSON.stringify({ url, perSecond, seconds })
  const args = ['-c', loadCores, process.execPath, generator, options]
  const { stdout } = await promisify(execFile)('taskset', args)
  return JSON.parse(stdout)
}

function summary(samples) {
  const highest = samples.map((sample) => sample.highest)
  const middle = (read) => {
    const values = samples.flatMap(({ twice }) => (twice ? [read(twice)] : []))
    return values.length > 0 ? Math.round(median(values)) : undefined
  }
  return {
    highest: {
      median: Math.round(median(highest)),
      least: Math.min(...highest),
      most: Math.max(...highest),
    },
    offeredPerSecond: middle(({ offeredPerSecond }) => offeredPerSecond),
    okPerSecond: middle(({ okPerSecond }) => okPerSecond),
    inTimePerSecond: middle(({ inTimePerSecond }) => inTimePerSecond),
    p99Ms: middle(({ okMs }) => okMs?.p99 ?? Number.POSITIVE_INFINITY),
    refusedPerSecond: middle(({ refusedPerSecond }) => refusedPerSecond),
    failed: middle(({ failed }) => failed),
  }
}
