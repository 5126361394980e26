import { expect, test } from 'vitest'
import { fixtureMap } from './appMap.ts'
import type { AttackSource } from './attackSource.ts'
import { attackAt } from './attacks.ts'
import { indexesOfKnownAttacks, knownAttacks } from './knownAttacks.ts'
import { encodeRequest } from './request.ts'
import { appCount } from './servedApps.ts'

const actionIds = Object.fromEntries(fixtureMap.actionNames.map((name) => [name, `a1b2c3#${name}`]))
const subscriptions = { visitor: ['visitor'], admin: ['admin'] }
const served = { map: fixtureMap, host: 'localhost:3000', actionIds, subscriptions }
const source: AttackSource = { seed: 7, ...served }
const run = Array.from({ length: 20_000 }, (_, index) => attackAt(source, index))

test('a request depends only on its seed and index', () => {
  expect(attackAt(source, 4711)).toEqual(run[4711])
  expect(attackAt({ ...source, seed: 8 }, 4711)).not.toEqual(run[4711])
})

test('a header line contains no line break', () => {
  const broken = run.filter((request) => {
    const { bytes, headLength } = encodeRequest(request)
    const lines = bytes.toString('latin1', 0, headLength - 4).split('\r\n')
    return lines.some((line) => /[\r\n]/.test(line))
  })
  expect(broken).toEqual([])
})

test('no target is longer than a server accepts', () => {
  expect(Math.max(...run.map(({ target }) => target.length))).toBeLessThan(8_192)
})

test('the first requests to an app are one of each kind', () => {
  const first = (seed: number) =>
    Array.from({ length: 11 }, (_, nth) => attackAt({ ...source, seed }, nth * appCount).label)
  expect(first(7).map(kindOf)).toEqual(first(8).map(kindOf))
  expect(first(7).map(kindOf)).toEqual([
    'page',
    'data',
    'call',
    'form',
    'call',
    'authority',
    'query',
    'method',
    'route',
    'beacon',
    'noise',
  ])
})

test('a run contains all known attacks', () => {
  const requests = indexesOfKnownAttacks(source).map((index) => attackAt(source, index))
  for (const [name, is] of Object.entries(knownAttacks)) {
    expect(requests.filter((request) => is(request, source)).length, name).toBeGreaterThan(0)
  }
})

test('a known attack that no request makes is an error', () => {
  const impossible = { 'a request of nobody': () => false }
  expect(() => indexesOfKnownAttacks(source, impossible, 100)).toThrow('a request of nobody')
})

function kindOf(label: string): string | undefined {
  return label.split(' ')[0]
}
