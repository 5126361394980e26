import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeFinding } from './adversary/findings.ts'
import { hunt } from './adversary/hunt.ts'
import { createTarget, type Target } from './adversary/target.ts'
import { startApp } from './harness/app.ts'
import { freePort } from './harness/freePort.ts'

// A run by hand sets these; `node e2e/adversary/long.mjs` does.
const { env } = process
const seed = Number(env.WAYMARK_ADVERSARY_SEED ?? 20261122)
const from = Number(env.WAYMARK_ADVERSARY_FROM ?? 0)
const count = Number(env.WAYMARK_ADVERSARY_REQUESTS ?? 20_000)
// 90 s for 20,000: sent on 96 connections, they took 67 s beside five other jobs for each core.
const withinMs = Math.max(90_000, count * 4.5)

let target: Target | null = null

beforeAll(async () => {
  const port = await freePort()
  target = await createTarget(port, () => startApp({ app: 'adversary', mode: 'production', port }))
})

afterAll(() => target?.end())

// A finding stands, also where it is not found twice; looking for its smallest request takes a while.
test(`an adversary finds nothing in ${count} requests of seed ${seed}`, {
  retry: 0,
  timeout: withinMs + 600_000,
}, async () => {
  if (target === null) throw new Error('The fixture is not served.')
  const { port } = target
  const source = { seed, host: `localhost:${port}`, actionIds: await target.actionIds() }
  const report = await hunt({ source, target, from, count, withinMs, onProgress: console.info })
  const { requests, sendingMs, cpuMsPerRequest, residentMb, statuses, findings, late } = report
  const perSecond = Math.round((requests / sendingMs) * 1000)
  console.info(
    `${requests} requests, ${perSecond} a second, ${cpuMsPerRequest.toFixed(2)} ms of processor time each, ${JSON.stringify(statuses)}`,
  )
  console.info(`Megabytes resident along the run: ${residentMb.join(' ')}`)
  if (late.length > 0) console.info(`Late once:\n${late.map(describeFinding).join('\n')}`)
  expect(findings.map(describeFinding)).toEqual([])
  expect(requests).toBe(count)
})
