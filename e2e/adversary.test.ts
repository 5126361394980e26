import { expect, test } from 'vitest'
import { describeFinding } from './adversary/findings.ts'
import { type HuntReport, hunt } from './adversary/hunt.ts'
import { indexesOfKnownAttacks } from './adversary/knownAttacks.ts'
import { steadyGrowthMb } from './adversary/memory.ts'
import { appCount, requestsPerGeneration, startServedApp } from './adversary/servedApps.ts'

// Environment variables for a manual run. `node e2e/adversary/long.mjs` sets these variables.
const { env } = process
const seed = Number(env.WAYMARK_ADVERSARY_SEED ?? 20261122)
const from = Number(env.WAYMARK_ADVERSARY_FROM ?? 0)
const count = Number(env.WAYMARK_ADVERSARY_REQUESTS ?? 5_000)
const apps = env.WAYMARK_ADVERSARY_APPS?.split(',')
// On a machine with five other jobs on each core, 20,000 requests on 96 connections took 67 s.
const withinMs = Math.max(90_000, count * 4.5)
const growthAtMostMb = 60

/**
 * Requests of a run that one app receives: those whose index, divided by the number of apps, leaves
 * the remainder `at`.
 */
type Share = {
  readonly generation: number
  readonly at: number
  readonly first: number
  readonly count: number
}

const shares = sharesOf(from, from + count).filter(
  ({ at }) => apps === undefined || apps.includes(`${at}`),
)

// A finding counts even if the violation doesn't happen again. Finding the smallest request that
// causes a violation takes a while.
test.each(shares)(
  `an adversary of seed ${seed} finds nothing in app $at of generation $generation`,
  { timeout: withinMs + 600_000 },
  async ({ generation, at, first, count: requestCount }) => {
    const app = await startServedApp(seed, generation, at)
    const { target } = app
    try {
      const { map, port } = target
      const actionIds = await target.actionIds()
      const subscriptions = await target.subscriptions()
      const source = { seed, map, host: `localhost:${port}`, actionIds, subscriptions }
      // A short run might not contain all known attacks, so send these first.
      const known = at === 0 && from === 0 ? indexesOfKnownAttacks(source) : []
      const drawn = Array.from({ length: requestCount }, (_, nth) => first + nth * appCount)
      const indexes = [...new Set([...known, ...drawn])]
      const options = { source, target, indexes, withinMs }
      const report = await hunt({ ...options, onProgress: console.info })
      console.info(`${map.name}: ${describeReport(report)}`)
      expect(report.findings.map(describeFinding)).toEqual([])
      expect(report.requests).toBe(indexes.length)
      expect(steadyGrowthMb(report.residentMb), 'megabytes more').toBeLessThan(growthAtMostMb)
    } finally {
      await app.end()
    }
  },
)

function describeReport(report: HuntReport): string {
  const { requests, sendingMs, cpuMsPerRequest, residentMb, statuses, slow } = report
  const perSecond = Math.round((requests / sendingMs) * 1000)
  return [
    `${requests} requests, ${perSecond} a second, ${cpuMsPerRequest.toFixed(2)} ms of processor time each, ${JSON.stringify(statuses)}`,
    `Megabytes resident along the run: ${residentMb.join(' ')}`,
    ...(slow.length > 0 ? [`Slow once:\n${slow.map(describeFinding).join('\n')}`] : []),
  ].join('\n')
}

/** Distributes the indexes from `begin` (inclusive) to `end` (exclusive) among the apps. */
function sharesOf(begin: number, end: number): Share[] {
  const shares: Share[] = []
  for (let at = begin; at < end; ) {
    const generation = Math.floor(at / requestsPerGeneration)
    const last = Math.min(end, (generation + 1) * requestsPerGeneration)
    for (let first = at; first < Math.min(at + appCount, last); first++) {
      const requestCount = Math.ceil((last - first) / appCount)
      shares.push({ generation, at: first % appCount, first, count: requestCount })
    }
    at = last
  }
  return shares
}
