/**
 * Measures the load of many replicas on one Redis. Their drivers are opened in this process, with two
 * connections each to a real Redis. `node fleet-simulation.mjs 10 100 1000`
 */
import { readFileSync } from 'node:fs'
import { createRedisCache } from '@waymark/redis'
import { createClient } from 'redis'
import { startBenchRedis } from './lib/redis.mjs'
import { appendResults, describeMachine, printTable } from './lib/report.mjs'

const sizes = process.argv.slice(2).map(Number)
const rounds = 40
const idleMs = 3_000

/** Seconds of CPU that a process has used. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function factsOf(client) {
  const text = String(await client.info())
  const read = (name) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1])
  return {
    commands: read('total_commands_processed'),
    memory: read('used_memory'),
    sentBytes: read('total_net_output_bytes'),
  }
}

async function openReplicas(count, url) {
  const address = { urls: [url], prefix: `fleet${count}` }
  const replicas = []
  // In groups: they share one thread here, which a real fleet does not.
  for (let at = 0; at < count; at += 50) {
    const group = Array.from({ length: Math.min(50, count - at) }, () =>
      createRedisCache({ address, timeoutMs: 10_000 }),
    )
    replicas.push(...(await Promise.all(group)))
  }
  return replicas
}

async function untilAllHeard([first, ...others], at) {
  const begin = performance.now()
  const heard = others.map(
    (driver) =>
      new Promise((resolve) => {
        const stop = driver.onInvalidated(() => {
          stop()
          resolve()
        })
      }),
  )
  await first.invalidate([`tag ${at}`], 'stale')
  await Promise.all(heard)
  return performance.now() - begin
}

async function simulate(count) {
  const redis = await startBenchRedis()
  const client = await createClient({ url: redis.url }).connect()
  try {
    const empty = await factsOf(client)
    const replicas = await openReplicas(count, redis.url)
    const connected = await factsOf(client)
    const cpuBefore = cpuSeconds(redis.pid)
    await new Promise((resolve) => setTimeout(resolve, idleMs))
    const idle = await factsOf(client)
    const idleCpu = (cpuSeconds(redis.pid) - cpuBefore) / (idleMs / 1_000)
    const times = []
    const busyBefore = cpuSeconds(redis.pid)
    for (let at = 0; at < rounds; at++) times.push(await untilAllHeard(replicas, at))
    const busyCpu = cpuSeconds(redis.pid) - busyBefore
    const facts = await factsOf(client)
    times.sort((a, b) => a - b)
    await Promise.all(replicas.map((driver) => driver.close()))
    return {
      replicas: count,
      'idle commands/s': Math.round((idle.commands - connected.commands) / (idleMs / 1_000)),
      'idle CPU %': Number((idleCpu * 100).toFixed(1)),
      'kB a replica': Math.round((connected.memory - empty.memory) / count / 1_024),
      'kB an invalidation': Math.round((facts.sentBytes - idle.sentBytes) / rounds / 1_024),
      'CPU ms an invalidation': Number(((busyCpu * 1_000) / rounds).toFixed(2)),
      'p50 ms': Math.round(times[Math.floor(rounds / 2)]),
      'most ms': Math.round(times.at(-1)),
    }
  } finally {
    client.destroy()
    redis.stop()
  }
}

console.log(describeMachine())
const rows = []
for (const count of sizes.length > 0 ? sizes : [10, 100, 1_000]) rows.push(await simulate(count))
printTable(
  Object.keys(rows[0]).map((name) => [name, name]),
  rows,
)
appendResults('fleet-simulation', rows)
