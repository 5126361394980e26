import { expect, test } from 'vitest'
import type { DoctorReport } from '../shared/doctorProof.ts'
import { clockOffsetMs, examine, type QueryServer } from './doctorChecks.ts'

type Fake = Partial<DoctorReport> & { readonly offsetMs?: number; readonly cache?: Set<string> }

/** A fleet whose servers say what the test says; they share a cache unless told otherwise. */
function fleetOf(servers: Readonly<Record<string, Fake>>): QueryServer {
  const common = new Set<string>()
  return async (url, question, key) => {
    const { offsetMs = 0, cache = common, ...report } = servers[url] ?? {}
    if (!servers[url]) throw new Error("it can't be reached (ECONNREFUSED)")
    if (question === 'write') cache.add(key)
    if (question === 'invalidate') cache.delete(key)
    const sentAtMs = Date.now()
    const full: DoctorReport = {
      buildId: 'b1',
      keyRing: ['k1'],
      actionIds: 'a1',
      instance: url,
      timeMs: sentAtMs + offsetMs,
      hasEntry: question === 'read' ? cache.has(key) : null,
      ...report,
    }
    return { report: full, sentAtMs, receivedAtMs: sentAtMs }
  }
}

async function failing(servers: Readonly<Record<string, Fake>>) {
  const { checks } = await examine(Object.keys(servers), fleetOf(servers), 'key')
  return checks.filter(({ isOk }) => !isOk)
}

test('servers that agree pass', async () => {
  const { checks } = await examine(['a', 'b', 'c'], fleetOf({ a: {}, b: {}, c: {} }), 'key')
  expect(checks.map(({ name, isOk }) => [name, isOk])).toEqual([
    ['build', true],
    ['keyRing', true],
    ['actions', true],
    ['clock', true],
    ['cache', true],
    ['invalidation', true],
  ])
  expect(checks[4]?.text).toBe('one cache for all (3 processes)')
})

test.each([
  ['build', { buildId: 'b2' }, 'b: b2'],
  ['keyRing', { keyRing: ['k2', 'k1'] }, 'b: k2 k1'],
  ['actions', { actionIds: 'a2' }, 'b: a2'],
  ['clock', { offsetMs: 3_000 }, 'b: 3000 ms from here'],
  ['cache', { cache: new Set<string>() }, 'b does not'],
])('one that differs in its %s is named', async (name, other, detail) => {
  const found = await failing({ a: {}, b: other })
  expect(found.map((check) => check.name)).toEqual([name])
  expect(found[0]?.details.at(-1)).toBe(detail)
})

test('one that can not be asked ends the examination', async () => {
  const findings = await examine(['a', 'x'], fleetOf({ a: {} }), 'key')
  expect(findings.checks).toEqual([])
  expect(findings.servers.map(({ problem }) => problem)).toEqual([
    null,
    "it can't be reached (ECONNREFUSED)",
  ])
})

test('a clock is read from the quickest exchange', () => {
  const at = (timeMs: number, sentAtMs: number, receivedAtMs: number) => {
    const report = { timeMs } as DoctorReport
    return { report, sentAtMs, receivedAtMs }
  }
  expect(clockOffsetMs([at(900, 0, 1000), at(1010, 1000, 1010)])).toBe(5)
})
