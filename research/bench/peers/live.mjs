/**
 * Compares three versions of a board that many people have open: with `@waymark/live`, with a
 * handwritten handler of server-sent events and `router.refresh()` in Next, and with polling each
 * second, as in TanStack Query.
 *
 *   node peers/live.mjs [--pages 1000] [--changes 5]
 */
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ageOfChange, exchange, openCrowd, percentile } from '../lib/crowd.mjs'
import { buildApp, startArgs } from '../lib/fixture.mjs'
import { appendResults, describeMachine, median, printTable } from '../lib/report.mjs'
import { startServer } from '../lib/server.mjs'
import { buildPeer, frameworks, installApp, versionOf } from './frameworks.mjs'

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    changes: { type: 'string', default: '5' },
  },
})
const count = Number(options.pages)
const idleSeconds = 20
const liveApp = fileURLToPath(new URL('../live-app/', import.meta.url))
const next = frameworks.find(({ folder }) => folder === 'next')
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

console.log(describeMachine())
await buildApp(liveApp)
installApp(next)
await buildPeer(next)

const rows = [
  await withServer({ args: startArgs, cwd: liveApp }, measureLive),
  await withServer({ ...next, args: next.start }, measureNext),
  await withServer({ args: startArgs, cwd: liveApp }, measurePolling),
]
appendResults('live-peers', rows)
printTable(
  ['way', 'version', 'lines', 'idleRequests', 'idlePercent', 'cpuMs', 'p50Ms', 'p99Ms'].map(
    (key) => [key, key],
  ),
  rows,
)
agent.destroy()

async function withServer(options, measure) {
  const server = await startServer({ ...options, probe: true })
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

async function measureLive(server) {
  const { url } = server
  const path = '/_waymark/data/own.rsc'
  const headers = { 'waymark-fresh': '1' }
  const fetchPage = () => exchange(url + path, { headers, agent })
  await warmUp(url, fetchPage)
  const [, row] = /\b7e000000:(.*)\n/.exec(await fetchPage()) ?? []
  const body = JSON.stringify({ pages: [JSON.parse(row)[2]], wait: true })
  const sent = { 'sec-fetch-site': 'same-origin', 'content-length': body.length }
  const waiting = { url: `${url}/_waymark/live`, method: 'POST', headers: sent, body }
  const isChange = (chunk) => chunk.includes('"changed":[0]')
  const crowd = await openCrowd(count, waiting, isChange)
  const measured = await measurePushed(server, crowd, fetchPage)
  return { way: 'Waymark, live', version: '0.1.0', lines: 1, ...measured }
}

async function measureNext(server) {
  const { url } = server
  // The request of `router.refresh()`, with the address that Next derives from these headers.
  const tree = ['', { children: ['board', { children: ['__PAGE__', {}] }] }, null, 'refetch']
  const headers = { rsc: '1', 'next-router-state-tree': encodeURIComponent(JSON.stringify(tree)) }
  const { headers: redirected } = await fetch(`${url}/board?_rsc=1`, {
    headers,
    redirect: 'manual',
  })
  const path = redirected.get('location') ?? '/board'
  const fetchPage = () => exchange(url + path, { headers, agent })
  const text = await fetchPage()
  if (!text.includes('Note 19')) throw new Error(`Next does not send the board: ${text}`)
  await warmUp(url, fetchPage)
  const isChange = (chunk) => chunk.includes('data: changed')
  const crowd = await openCrowd(count, { url: `${url}/board/changes` }, isChange)
  const measured = await measurePushed(server, crowd, fetchPage)
  const files = ['board/changes/route.js', 'board/live.jsx', 'board/board.mjs']
  const lines = files.reduce((sum, file) => sum + codeLines(`next/app/${file}`), 0)
  return { way: 'Next, by hand', version: versionOf(next), lines, ...measured }
}

/** All pages poll each second, even if nothing has changed. */
async function measurePolling(server) {
  const { url } = server
  const poll = () => exchange(`${url}/api/notes`, { agent })
  await warmUp(url, poll)
  let isOver = false
  let requests = 0
  const ages = []
  let change = { atMs: Number.POSITIVE_INFINITY, seen: new Set() }
  const clients = Array.from({ length: count }, async (_, client) => {
    await sleep(Math.random() * 1_000)
    while (!isOver) {
      const startedAtMs = performance.now()
      await poll()
      requests++
      if (startedAtMs > change.atMs && !change.seen.has(client)) {
        change.seen.add(client)
        ages.push(performance.now() - change.atMs)
      }
      await sleep(1_000)
    }
  })
  await sleep(2_000)
  requests = 0
  const before = await server.cpuMicroseconds()
  for (let at = 0; at < idleSeconds / 4; at++) {
    await post(url)
    change = { atMs: performance.now(), seen: new Set() }
    await sleep(4_000)
  }
  const used = (await server.cpuMicroseconds()) - before
  isOver = true
  await Promise.all(clients)
  ages.sort((a, b) => a - b)
  return {
    way: 'asking each second',
    version: '',
    lines: 8,
    idleRequests: Math.round((requests / idleSeconds) * 60),
    idlePercent: Number((used / idleSeconds / 10_000).toFixed(1)),
    p50Ms: Math.round(percentile(ages, 0.5)),
    p99Ms: Math.round(percentile(ages, 0.99)),
  }
}

async function measurePushed(server, crowd, fetchPage) {
  const { url } = server
  await sleep(2_000)
  const idleBefore = await server.cpuMicroseconds()
  await sleep(idleSeconds * 1_000)
  const idleUsed = (await server.cpuMicroseconds()) - idleBefore
  const runs = []
  for (let at = 0; at < Number(options.changes); at++) {
    const before = await server.cpuMicroseconds()
    const ages = await ageOfChange(crowd, () => post(url), fetchPage)
    const cpuMs = ((await server.cpuMicroseconds()) - before) / 1_000
    runs.push({ cpuMs, p50Ms: percentile(ages, 0.5), p99Ms: percentile(ages, 0.99) })
    await sleep(500)
  }
  for (const connection of crowd) connection.close()
  const of = (key) => Math.round(median(runs.map((run) => run[key])))
  return {
    idleRequests: 0,
    idlePercent: Number((idleUsed / idleSeconds / 10_000).toFixed(1)),
    cpuMs: of('cpuMs'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
  }
}

function post(url) {
  return exchange(`${url}/api/notes`, { method: 'POST', agent })
}

async function warmUp(url, ask) {
  for (let at = 0; at < 300; at++) await ask()
  await post(url)
}

function codeLines(file) {
  const text = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => /\S/.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line))
    .length
}
